"""Map and calibration files: what is read, and how a wrong file is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv import resources
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.fields import one_line
from ontour_cv.maps.load import load_editions, load_map, map_called, map_ids, printed_map_ids, read_edition, read_map

TINY = """
id = "tiny"
title = "Tiny"
published = false
rules = "rulebook"
areas = ["North", "South"]

[printed]
regions = 3
links = 2
cards = 1

[[region]]
id = "A"
name = "Aland"
label = "A"
areas = ["North"]
neighbours = ["B"]
layout = [0.1, 0.1]
card = "North"

[[region]]
id = "B"
name = "Bland"
label = "B"
areas = ["South"]
neighbours = ["C", "A"]
layout = [0.3, 0.1]

[[region]]
id = "C"
name = "Cland"
label = "C"
areas = ["South"]
neighbours = ["B"]
layout = [0.5, 0.1]
"""


def tiny_edition() -> dict[str, Any]:
    return {
        "version": 1,
        "map": "tiny",
        "name": "first",
        "title": "First print",
        "radius": 0.02,
        "cells": {"C": [0.5, 0.1], "A": [0.1, 0.1], "B": [0.3, 0.11]},
        "measured": "by hand",
        "residuals": {"anything": [1, 2, 3]},
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tiny.toml").write_text(TINY, encoding="utf-8")
    (tmp_path / "tiny-first.json").write_text(json.dumps(tiny_edition()), encoding="utf-8")
    return tmp_path


def test_an_owners_map_and_its_edition_are_found_beside_the_projects_own(folder: Path) -> None:
    tiny = load_map("tiny", [folder])
    assert tiny.ids == ("A", "B", "C")
    assert tiny.region("B").neighbours == ("A", "C")
    assert [(card.region, card.area) for card in tiny.cards] == [("A", "North")]
    assert map_ids([folder]) == tuple(sorted((*map_ids(), "tiny")))
    assert "usa" in map_ids()
    assert load_map("usa", [folder]).title == "USA"
    (edition,) = load_editions("tiny", [folder])
    assert tuple(edition.cells) == ("A", "B", "C")
    assert edition.cells["B"] == (0.3, 0.11)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("paris", "paris-home"), ("PARIS-Home", "paris-home"), ("new", "new-york-home"), ("u", "usa"), ("USA", "usa"),
        ("tin", "tin"), ("tiny", "tiny"), ("tiny-", "tiny-two"), ("", ""), ("mars", "mars"), ("home", "home"),
    ],
)  # fmt: skip
def test_a_map_is_known_by_how_its_id_begins(folder: Path, typed: str, found: str) -> None:
    """When no other begins so; a whole id is itself, whatever else begins with it."""
    (folder / "tiny-two.toml").write_text("", encoding="utf-8")
    with resources.more_maps([folder]):
        assert map_called(typed) == found


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pariss", "Did you mean paris-home?"),
        ("eurpe", "Did you mean europe-home?"),
        ("new-yrok-home", "Did you mean new-york-home?"),
        ("mars", "Maps there are: europe-home"),
        ("", "Maps there are: europe-home"),
    ],
)
def test_an_unknown_map_is_told_with_those_that_resemble_it(typed: str, meant: str) -> None:
    with pytest.raises(BadTemplate) as caught:
        load_map(typed)
    assert caught.value.remedy.startswith(meant)
    assert "usa" in caught.value.remedy


def test_an_edition_in_an_extra_folder_stands_before_the_projects_own(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "tiny-first.json").write_text(json.dumps(tiny_edition() | {"title": "Mine"}), encoding="utf-8")
    (edition,) = load_editions("tiny", [other, folder])
    assert edition.title == "Mine"


def test_a_calibration_of_a_map_with_a_longer_name_is_left_alone(folder: Path) -> None:
    (folder / "tiny-home-2020.json").write_text(json.dumps(tiny_edition() | {"map": "tiny-home"}), encoding="utf-8")
    assert [edition.name for edition in load_editions("tiny", [folder])] == ["first"]


@pytest.mark.parametrize("name", ["nowhere", "", "../usa", "USA", "usa.toml", "/etc/passwd", "u s a"])
def test_an_unknown_map_is_refused_with_the_list_of_maps(name: str) -> None:
    with pytest.raises(BadTemplate) as fault:
        load_map(name)
    assert repr(name) in fault.value.message
    assert "usa" in fault.value.remedy
    assert fault.value.exit_code == 5


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Tiny"', "", "tiny.toml: 'title' is missing; expected a text"),
        ('title = "Tiny"', "title = 5", "tiny.toml: 'title' is 5; expected a text"),
        ('title = "Tiny"', 'titel = "Tiny"', "'title' is missing"),
        ('title = "Tiny"', 'title = "Tiny"\ncolour = "red"', "tiny.toml: unknown field 'colour'"),
        ("published = false", 'published = "no"', "'published' is 'no'; expected true or false"),
        ('id = "tiny"', 'id = "other"', "expected 'tiny', as the file is called"),
        ("links = 2", "links = 2\nwidth = 50", "tiny.toml, printed: unknown field 'width'"),
        ("links = 2", "links = true", "expected a whole number"),
        ("links = 2", "links = 3", "2 links are listed but 3 are printed"),
        ("regions = 3", "regions = 41", "3 regions are listed but 41 are printed"),
        ("cards = 1", "cards = 2", "1 cards are listed but 2 are printed"),
        ('neighbours = ["C", "A"]', 'neighbours = ["C"]', "A lists B, but B does not list A"),
        ('neighbours = ["C", "A"]', 'neighbours = ["C", "C"]', "region 2 (B): 'neighbours' names 'C' twice"),
        ('neighbours = ["C", "A"]', "neighbours = [1]", "holds 1; expected a list of texts"),
        ('neighbours = ["C", "A"]', 'neighbours = ["C", "D", "A"]', "B lists D, which is not on the map"),
        ("layout = [0.3, 0.1]", "layout = [0.3]", "region 2 (B): 'layout' holds 1 values; expected a pair [x, y]"),
        ("layout = [0.3, 0.1]", 'layout = [0.3, "0"]', "region 2 (B): 'layout' holds '0'; expected a number"),
        ("layout = [0.3, 0.1]", "layout = [0.3, nan]", "expected a finite number"),
        ('id = "B"', 'id = "b"', "'id' must be capital letters"),
        ('id = "C"', 'id = "B"', "B is listed 2 times"),
        ('label = "C"', 'label = "B"', "the label 'B' is printed 2 times"),
        ('card = "North"', 'card = "South"', "the card A opens 'South', but A does not lie there"),
        ('card = "North"', 'card = "West"', "the card A opens 'West', which is not among the areas"),
        ("[printed]", "[printed", "does not parse"),
    ],
)
def test_a_wrong_map_is_refused_by_file_and_field(folder: Path, old: str, new: str, said: str) -> None:
    assert old in TINY
    (folder / "tiny.toml").write_text(TINY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadTemplate) as fault:
        load_map("tiny", [folder])
    assert "tiny.toml" in fault.value.message
    assert said in fault.value.message
    assert fault.value.remedy


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda e: e.pop("cells"), "'cells' is missing"),
        (lambda e: e.update(version=2), "knows version 1"),
        (lambda e: e.update(colour="red"), "unknown field 'colour'"),
        (lambda e: e.update(name="second"), "tiny-second.json"),
        (lambda e: e.update(radius=0.5), "a disc radius of 0.5 board widths is not plausible"),
        (lambda e: e.update(radius=10**400), "expected a finite number"),
        (lambda e: e["cells"].pop("B"), "B has no position"),
        (lambda e: e["cells"].update(D=[0.2, 0.2]), "D is not on the map"),
        (lambda e: e["cells"].update(B=[0.3]), "cells: 'B' holds 1 values"),
        (lambda e: e["cells"].update(B=[0.9, 0.1]), "B lies 0.60 board widths from where the map has it"),
        (lambda e: e["cells"].update(B=[0.3, None]), "holds None; expected a number"),
    ],
)
def test_a_wrong_calibration_is_refused_by_file_and_field(
    folder: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    table = tiny_edition()
    change(table)
    path = folder / "tiny-first.json"
    path.write_text(json.dumps(table), encoding="utf-8")
    with pytest.raises(BadTemplate) as fault:
        load_editions("tiny", [folder])
    assert "tiny-first.json" in fault.value.message
    assert said in fault.value.message


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[1, 2]", b'"text"', b"{", b"null"])
def test_files_that_are_no_table_are_refused(folder: Path, content: bytes) -> None:
    path = folder / "tiny-first.json"
    path.write_bytes(content)
    with pytest.raises(BadTemplate, match=r"tiny-first\.json"):
        read_edition(path, load_map("tiny", [folder]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Tiny"', r'"Ti\nny"'),
        ('"Aland"', r'"A\tland"'),
        ('"North", "South"', r'"North\u0085", "South"'),
        ('"Tiny"', r'"Ti\u2029ny"'),
    ],
)
def test_names_stand_on_one_line(folder: Path, old: str, new: str) -> None:
    (folder / "tiny.toml").write_text(TINY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadTemplate, match=r"tiny\.toml.*control characters"):
        load_map("tiny", [folder])


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_a_text_on_one_line_is_not_split_by_any_program(text: str) -> None:
    assert not one_line(text) or len(text.splitlines()) <= 1


@pytest.mark.parametrize(("text", "shown"), [("New\u00a0York", True), ("a\x07", False), ("\ud800", False)])
def test_what_cannot_be_shown_is_on_no_line(text: str, shown: bool) -> None:
    assert one_line(text) is shown


def test_a_map_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTemplate, match="cannot be read"):
        read_map(tmp_path / "none.toml")


def test_every_shipped_edition_belongs_to_a_shipped_map_and_fits_it() -> None:
    editions = [edition for map_id in map_ids() for edition in load_editions(map_id)]
    assert len(editions) == len(list(resources.calibration_dir().glob("*.json")))
    assert all(tuple(edition.cells) == load_map(edition.map).ids for edition in editions)


def test_maps_without_a_print_are_not_read_to_look_for_boards() -> None:
    """A photo may show any map that has a calibration; the sheet of Rolling America has a reader of its own."""
    assert set(printed_map_ids()) == {map_id for map_id in map_ids() if load_editions(map_id)}
    assert "rolling-america" not in printed_map_ids()


def test_only_prints_of_new_york_have_boxes_beside_their_discs() -> None:
    boxed = {map_id for map_id in map_ids() for edition in load_editions(map_id) if edition.boxed}
    assert boxed == {map_id for map_id in map_ids() if load_map(map_id).city is not None}
