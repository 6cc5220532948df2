"""Variants are data: what a file may say, what it may not, and what every user of the rules sees of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontour_cv import resources
from ontour_cv.errors import BadTemplate
from ontour_cv.rules import RULESETS, VARIANTS, NoSuchRules, Variant, differences, variant_for, variants_for
from ontour_cv.rules.load import GAMES, variant_of, variant_table

HEAD = 'key = "kitchen"\ntitle = "at our table"\n'
HOUSE = HEAD + 'extends = "bga"\nstar_anywhere = true\nsetup_rolls = 3\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    return tmp_path


def write(folder: Path, text: str, key: str = "kitchen") -> None:
    (folder / "rules" / f"{key}.toml").write_text(text, encoding="utf-8")


def test_a_variant_has_what_it_says_and_the_rest_of_what_it_extends(folder: Path) -> None:
    write(folder, HOUSE)
    write(folder, 'key = "late"\ntitle = "late"\nextends = "kitchen"\nstar_always_circled = false\n', "late")
    with resources.more_maps([folder]):
        kitchen, late = VARIANTS["kitchen"], VARIANTS["late"]
        assert (kitchen.title, kitchen.setup_rolls, kitchen.star_anywhere) == ("at our table", 3, True)
        assert kitchen.star_always_circled
        assert kitchen.tie_by_circles
        assert not late.star_always_circled
        assert (late.tie_by_circles, late.setup_rolls) == (True, 3)
        assert "kitchen" in variants_for("rulebook")
        assert RULESETS["kitchen"].variant == kitchen
    assert "kitchen" not in VARIANTS


def test_it_is_found_by_the_variable_and_in_the_users_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, HOUSE)
    monkeypatch.setenv(resources.MAPS_VARIABLE, str(folder))
    assert "kitchen" in VARIANTS
    monkeypatch.delenv(resources.MAPS_VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    (folder / "data" / "ontour-cv" / "maps").mkdir(parents=True)
    (folder / "rules").rename(resources.user_data_dir() / "maps" / "rules")
    assert "kitchen" in VARIANTS


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HOUSE + "star_anywere = true\n", "unknown field 'star_anywere'"),
        (HEAD + 'extends = "bga"\nstar_anywhere = 1\n', "'star_anywhere' is 1; expected true or false"),
        (HEAD + 'extends = "bga"\nsetup_rolls = true\n', "'setup_rolls' is True; expected a whole number"),
        (HEAD + 'extends = "bga"\nsetup_rolls = -1\n', "zero or more"),
        (HEAD + 'extends = "bga"\nsetup_rolls = 11\n', "10 or fewer"),
        (HOUSE + "star_anywhere = false\n", "does not parse"),
        (HEAD + 'extends = "brunch"\n', "no rules of that name"),
        (HEAD + 'extends = "kitchen"\n', "never ends"),
        (HEAD, "either 'game' or 'extends'"),
        (HEAD + 'extends = "bga"\ngame = "on-tour"\n', "either 'game' or 'extends'"),
        (HEAD + 'game = "chess"\n', "'game' is 'chess'"),
        (HEAD + 'extends = "rolling"\nstar_anywhere = true\n', "means nothing in the game 'rolling-america'"),
        (HOUSE.replace('"kitchen"', '"kitchens"'), "expected 'kitchen'"),
        (HOUSE.replace('"at our table"', '" "'), "'title' is empty"),
        ("\0", "does not parse"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name(folder: Path, text: str, says: str) -> None:
    write(folder, text)
    with resources.more_maps([folder]), pytest.raises(BadTemplate) as refused:
        VARIANTS["kitchen"]
    assert "kitchen.toml" in refused.value.message
    assert says in refused.value.message
    assert refused.value.remedy


def test_two_files_that_extend_each_other_are_refused(folder: Path) -> None:
    for one, other in (("kitchen", "late"), ("late", "kitchen")):
        write(folder, f'key = "{one}"\ntitle = "t"\nextends = "{other}"\n', one)
    with resources.more_maps([folder]), pytest.raises(BadTemplate, match="kitchen extends late extends kitchen"):
        VARIANTS["kitchen"]


def test_a_name_of_the_projects_own_cannot_be_taken(folder: Path) -> None:
    write(folder, HOUSE.replace("kitchen", "bga").replace('extends = "bga"', 'extends = "rulebook"'), "bga")
    with resources.more_maps([folder]), pytest.raises(BadTemplate, match="brings along"):
        VARIANTS["bga"]


def test_a_wrong_file_of_others_does_not_stop_the_rest(folder: Path) -> None:
    write(folder, "nonsense")
    with resources.more_maps([folder]):
        assert variant_for("rulebook", "bga").key == "bga"


@pytest.mark.parametrize("key", ["rolling", "house", "../bga", ""])
def test_rules_of_another_game_or_unknown_ones_are_refused_with_what_there_is(key: str) -> None:
    with pytest.raises(NoSuchRules) as refused:
        variant_for("rulebook", key)
    assert repr(key) in refused.value.message
    assert "bga" in refused.value.remedy


def test_the_printed_rules_are_the_defaults_and_every_field_that_differs_is_told() -> None:
    assert VARIANTS["rulebook"] == Variant("rulebook", "as in the rulebook")
    assert differences(VARIANTS["rulebook"]) == ()
    for variant in VARIANTS.values():
        plain = Variant(variant.key, variant.title, variant.game)
        changed = [name for name in GAMES[variant.game] if getattr(variant, name) != getattr(plain, name)]
        assert len(differences(variant)) == len(changed)


@pytest.mark.parametrize("key", list(VARIANTS))
def test_a_variant_told_as_a_table_reads_as_the_same(key: str) -> None:
    assert variant_of(variant_table(VARIANTS[key]), key, "here") == VARIANTS[key]


def test_every_field_of_a_variant_belongs_to_a_game() -> None:
    named = {name for fields in GAMES.values() for name in fields}
    assert named | {"key", "title", "game"} == set(Variant.__slots__)
