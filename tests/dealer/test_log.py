"""What a log says, what is wrong with it, and how much of a damaged one is good."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from dealt import opening, wander
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.dealer.events import Deal
from ontour_cv.dealer.form import event_line, make_opening, opening_line
from ontour_cv.dealer.game import new_game
from ontour_cv.dealer.log import load_game, parse_log, read_log
from ontour_cv.dealer.play import deal_next
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.dealer.store import create_game, rescue
from ontour_cv.errors import BadLog, UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.resources import more_maps

FIXTURE = Path(__file__).parent.parent / "fixtures" / "games" / "usa-seed-1.jsonl"
AT = "2026-11-21T20:15:00Z"


def text_of(seed: int) -> tuple[bytes, list[object]]:
    """A game's log, and the game after each of its lines."""
    game, events = wander(seed)
    lines, steps = [opening_line(game.opening)], [new_game(game.opening)]
    for number, event in enumerate(events, start=1):
        lines.append(event_line(event, number, AT))
        steps.append(steps[-1].after(event))
    return ("\n".join(lines) + "\n").encode(), steps


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_a_written_game_reads_as_the_same_game(seed: int) -> None:
    content, steps = text_of(seed)
    log = parse_log(content, Path("g"))
    assert log.game == steps[-1]
    assert (log.good, log.torn, log.open_line) == (len(content), 0, False)


@settings(max_examples=30)
@given(st.integers(0, 50), st.data())
def test_a_log_cut_off_anywhere_after_its_first_line_reads_up_to_the_cut(seed: int, data: st.DataObject) -> None:
    """Whatever byte a crash ended the writing at; zeros that a file system left there count as cut off, too."""
    content, steps = text_of(seed)
    cut = data.draw(st.integers(content.index(b"\n") + 1, len(content)))
    zeros = data.draw(st.sampled_from([b"", b"\0" * 9]))
    whole = content[:cut].count(b"\n")
    log = parse_log(content[:cut] + zeros, Path("g"))
    complete = not zeros and content[cut : cut + 1] == b"\n"
    assert log.game == steps[whole if complete else whole - 1]
    assert log.open_line is complete
    assert log.good + log.torn == cut + len(zeros)


@settings(max_examples=30)
@given(st.integers(0, 50), st.integers(1, 40), st.text(" \t\r\n", min_size=1))
def test_blank_lines_at_the_end_count_for_nothing(seed: int, lines: int, blank: str) -> None:
    """Whoever types a log may leave some; the next event takes their place."""
    content = b"".join(text_of(seed)[0].splitlines(keepends=True)[:lines])
    log, same = parse_log(content + blank.encode(), Path("g")), parse_log(content, Path("g"))
    assert log == same
    assert (log.good, log.torn, log.open_line) == (len(content), 0, False)


def test_blank_lines_between_two_events_are_damage() -> None:
    with pytest.raises(BadLog, match="line 3 does not fit"):
        parse_log(FIXTURE.read_bytes().replace(b"\n", b"\n\n", 2).replace(b"\n\n", b"\n", 1), FIXTURE)


def test_a_game_goes_on_where_blank_lines_stood(tmp_path: Path) -> None:
    plain, typed = tmp_path / "plain.jsonl", tmp_path / "typed.jsonl"
    for path in (plain, typed):
        create_game(path, opening("1"))
    typed.write_bytes(typed.read_bytes() + b"\n \r\n")
    assert deal_next(typed).game == deal_next(plain).game == load_game(typed)


def test_the_fixture_is_what_this_version_writes() -> None:
    """A log once written stays readable: this file must never need a change."""
    game = load_game(FIXTURE)
    again = new_game(game.opening)
    while not again.now.over:
        again = again.after(again.draw())
    assert again == game
    lines = FIXTURE.read_text(encoding="utf-8").splitlines()
    assert opening_line(game.opening) == lines[0]
    assert event_line(game.deals[0], 1, json.loads(lines[1])["at"]) == lines[1]


@pytest.mark.parametrize("ending", [b"\r\n", b"\n"])
def test_what_editors_add_is_read(ending: bytes) -> None:
    content = FIXTURE.read_bytes().replace(b"\n", ending)
    assert parse_log(b"\xef\xbb\xbf" + content, FIXTURE).game == load_game(FIXTURE)


def test_times_may_be_missing_or_in_any_zone() -> None:
    """A game dealt with real cards can be typed."""
    settled = '"map": "usa", "rules": "rulebook", "players": ["A"], "created": "2026-11-21T21:00+01:00"'
    head = f'{{"ontour-cv game": 1, {settled}}}'
    line = '{"n": 1, "event": "setup", "dice": [3, 7], "cards": ["NV", "MN"]}'
    log = parse_log(f"{head}\n{line}".encode(), FIXTURE)
    assert (log.game.done, log.changed, log.open_line) == (1, "2026-11-21T20:00:00Z", True)


def created(when: str) -> bytes:
    settled = f'"map": "usa", "rules": "rulebook", "players": ["A"], "created": "{when}"'
    return f'{{"ontour-cv game": 1, {settled}}}\n'.encode()


@pytest.mark.parametrize(
    "when", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-10:00", "0999-01-01T00:00:00Z", "3000-01-01T00:00Z"]
)
def test_times_far_away_are_refused_as_such(when: str) -> None:
    with pytest.raises(BadLog, match="expected a year"):
        parse_log(created(when), FIXTURE)


@settings(max_examples=50)
@given(st.datetimes(datetime(1971, 1, 1), datetime(2999, 12, 31, 23, 59), timezones=st.timezones()))
def test_times_of_games_are_kept_to_the_second_in_any_zone(when: datetime) -> None:
    """In UTC, so that they sort as texts, and local times can be told."""
    changed = datetime.fromisoformat(parse_log(created(when.isoformat()), FIXTURE).changed)
    assert abs(changed - when) < timedelta(seconds=1)
    assert changed.utcoffset() == timedelta(0)
    assert changed.astimezone().year


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"ontour-cv game": 1', '"ontour-cv game": 5', "newer ontour-cv"),
        ('"ontour-cv game": 1', '"ontour-cv game": "1"', "does not begin"),
        ('"map": "usa"', '"map": "mars"', "no map called 'mars'"),
        ('"rules": "rulebook"', '"rules": "house"', "no rules called 'house'"),
        ('"players": ["Anna", "Ben"]', '"players": []', "0 players"),
        ('"players": ["Anna", "Ben"]', '"players": ["Anna", "anna"]', "two players"),
        ('"players": ["Anna", "Ben"]', '"players": ["Zo\\u00eb", "Zoe\\u0308"]', "two players"),
        ('"players": ["Anna", "Ben"]', '"players": ["A\\u001b[2J"]', "can be shown"),
        ('"seed": "1"', '"seed": "1", "luck": 7', "'luck'"),
        ('"created": "2026', '"created": "soon', "expected a time"),
    ],
)
def test_another_programs_or_maps_log_is_refused_with_its_reason(old: str, new: str, says: str) -> None:
    text = FIXTURE.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(BadLog, match=says):
        parse_log(text.replace(old, new, 1).encode(), FIXTURE)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('{"n": 5, ', '{"n": 6, ', "numbered 6, but 5 comes here"),
        ('{"n": 5, "event": "turn"', '{"n": 5, "event": "dance"', "no event called 'dance'"),
        ('{"n": 5, "event": "turn"', '{"n": 5, "event": "last"', "'turn' was due"),
        ('{"n": 5, "event": "turn"', '"n": 5, "event": "turn"', "not JSON"),
        ('"cards": ["KY", "PA", "IA"]', '"cards": ["KY", "PA", "NV"]', "card NV cannot come now"),
        ('"cards": ["KY", "PA", "IA"]', '"cards": ["KY", "PA", 3]', "list of ids"),
        ('"dice": [6, 7], "cards": ["KY"', '"dice": [6, 17], "cards": ["KY"', "0 to 9"),
        ('"dice": [6, 7], "cards": ["KY"', '"dice": [6], "cards": ["KY"', "two digits"),
        ('"dice": [6, 7], "cards": ["KY"', '"dice": [6, 7], "dice": [6, 8], "cards": ["KY"', "twice"),
    ],
)
def test_damage_names_its_line_and_what_is_good(old: str, new: str, says: str, tmp_path: Path) -> None:
    text = FIXTURE.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "game.jsonl"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadLog, match=says) as caught:
        load_game(path)
    assert "line 6" in caught.value.message
    assert "4 rolls, 33 spaces left" in caught.value.message
    assert caught.value.exit_code == 5
    before = path.read_bytes()
    log = rescue(path, tmp_path / "good.jsonl")
    assert log.game.done == 4
    assert path.read_bytes() == before
    with pytest.raises(UsageError):
        rescue(path, tmp_path / "good.jsonl")


@pytest.mark.parametrize(
    "content", [b"", b"\0\0\0", b"\n\n", b"hello\n", b"[]\n", b"\xff\xd8\xff\xe0\n", b"x" * 5_000_000]
)
def test_what_is_no_log_is_called_so(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadLog, match="log of a game"):
        read_log(path)


def test_deep_nesting_and_huge_numbers_are_damage_and_no_crash() -> None:
    head = FIXTURE.read_bytes().split(b"\n")[0]
    for line in (b"[" * 100_000, b'{"n": ' + b"9" * 5000 + b"}", b'{"n": NaN}', b'{"n": true}'):
        with pytest.raises(BadLog, match="line 2"):
            parse_log(head + b"\n" + line + b"\n", FIXTURE)


@pytest.mark.parametrize(
    "line",
    [
        b'{"n": 1, "event": "\\ud800"}',
        b'{"n": 1, "event": "setup", "dice": [1, 2], "cards": ["AL", "\\ud800"]}',
        b'{"n": 1, "event": "undo", "steps": 1, "\\udfff": 1}',
    ],
)
def test_half_a_letter_is_damage_that_can_be_told(line: bytes) -> None:
    """It cannot be printed, so no message may repeat it."""
    head = FIXTURE.read_bytes().split(b"\n")[0]
    with pytest.raises(BadLog, match="line 2 does not fit, it holds half a letter") as caught:
        parse_log(head + b"\n" + line + b"\n", FIXTURE)
    assert caught.value.message.encode()
    with pytest.raises(BadLog, match="half a letter"):
        parse_log(line + b"\n", FIXTURE)
    assert parse_log(head + b'\n{"n": 1, "event": "undo"', FIXTURE).torn


def test_a_missing_game_and_a_folder_are_clear_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(BadLog, match="cannot be read"):
            load_game(path)


def own_game(folder: Path, rules: str) -> Path:
    """A whole game by rules of the user's own, kept in ``folder/rules/kitchen.toml``."""
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "rules" / "kitchen.toml").write_text(rules, encoding="utf-8")
    path = folder / "game.jsonl"
    with more_maps([folder]):
        create_game(path, make_opening("usa", "kitchen", ("Anna",), "7", AT))
        while not load_game(path).now.over:
            deal_next(path)
    return path


KITCHEN = 'key = "kitchen"\ntitle = "at our table"\nextends = "rulebook"\nsetup_rolls = 3\nshuffle_early = true\n'


@pytest.mark.parametrize("later", [KITCHEN.replace("3", "1"), "damaged", None])
def test_a_game_by_own_rules_stays_the_same_when_their_file_changes_or_is_lost(
    tmp_path: Path, later: str | None
) -> None:
    path = own_game(tmp_path, KITCHEN)
    file = tmp_path / "rules" / "kitchen.toml"
    if later is None:
        file.unlink()
    else:
        file.write_text(later, encoding="utf-8")
    with more_maps([tmp_path]):
        game = load_game(path)
    assert game.now.over
    assert (game.opening.rules, game.opening.variant.setup_rolls, game.opening.variant.shuffle_early) == (
        "kitchen",
        3,
        True,
    )
    assert game.record.variant == game.opening.variant


def test_own_rules_that_a_log_only_names_must_be_there(tmp_path: Path) -> None:
    path = own_game(tmp_path, KITCHEN)
    head, *events = path.read_text(encoding="utf-8").splitlines()
    table = json.loads(head)
    del table["variant"]
    content = "\n".join([json.dumps(table), *events]).encode()
    with more_maps([tmp_path]):
        assert parse_log(content, path).game.now.over
    with pytest.raises(BadLog, match="no rules called 'kitchen'"):
        parse_log(content, path)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"setup_rolls": 3', '"setup_rolls": "3"', "expected a whole number"),
        ('"setup_rolls": 3', '"set_up": 3', "unknown field 'set_up'"),
        ('"game": "on-tour"', '"game": "rolling-america"', "means nothing"),
        ('"ontour-cv game": 3', '"ontour-cv game": 1', "'variant'"),
        ('"rules": "kitchen"', '"rules": "A b"', "small letters"),
    ],
)
def test_stored_rules_are_read_as_strictly_as_a_file(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = own_game(tmp_path, KITCHEN).read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(BadLog, match=says):
        parse_log(text.replace(old, new).encode(), Path("g"))


def test_a_deck_shuffled_early_takes_the_rest_back_in(tmp_path: Path) -> None:
    """After three setup rolls 35 cards are left: the twelfth turn finds two, and has three of all 35 instead."""
    rolls = load_game(own_game(tmp_path, KITCHEN)).record.rolls
    turns = [roll.cards for roll in rolls if roll.phase is Phase.TURN]
    seen = [card for cards in turns[:11] for card in cards]
    assert len(seen) == len(set(seen)) == 33
    left = {region.id for region in load_map("usa").regions} - set(seen) - {c for r in rolls[:3] for c in r.cards}
    position = load_game(tmp_path / "game.jsonl").places[3 + 11]
    assert len(left) == 2
    assert not left <= set(turns[11])
    assert position.problem(Deal(Roll(Phase.TURN, turns[11], (1, 2)))) is None
