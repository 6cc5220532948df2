"""register: the right board at any pose, unknown editions, hidden and cut discs; everything else is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from sheets import Sheet, pose, shoot

from ontour_cv.errors import BoardNotFound
from ontour_cv.geometry import Homography
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions
from ontour_cv.vision import evidence
from ontour_cv.vision.landmarks import Candidates, find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.refine import Fit
from ontour_cv.vision.register import SEEN_RADII, WIDE_LOG_ODDS, Placement, _placement, register

cv2.setNumThreads(1)

EDITIONS = tuple(edition for edition in load_editions("usa") if edition.name != "own")
FIRST, SHEET = EDITIONS
SIZE = (1600, 1200)
LINE_ART = {"art": False, "disc": (250, 250, 250)}


def place(photo: np.ndarray, editions: tuple[Edition, ...] = EDITIONS) -> Placement:
    picture = Photo("test", photo)
    return register(picture, find_discs(picture), editions)


def errors(found: Placement, centres: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Distance of every cell from the truth, disc radii."""
    cells = np.array([cell.centre_photo for cell in found.cells.values()])
    return np.asarray(np.hypot(*(cells - centres).T) / radii)


@pytest.mark.parametrize("roll", range(0, 360, 45))
def test_a_board_is_found_whichever_way_up(roll: float) -> None:
    sheet = Sheet(FIRST.cells, FIRST.radius)
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 12, roll, roll), SIZE, roll)
    found = place(photo)
    off = errors(found, centres, radii)
    assert tuple(found.cells) == tuple(FIRST.cells)
    assert found.edition.name == FIRST.name
    assert np.median(off) < 0.05
    assert off.max() < 0.25


@pytest.mark.parametrize("tilt", [0, 25, 40, 50])
@pytest.mark.parametrize("art", [True, False])
def test_a_tilted_board_is_found(tilt: float, art: bool) -> None:
    edition = FIRST if art else SHEET
    sheet = Sheet(edition.cells, edition.radius, art=art, disc=(215, 235, 240) if art else (250, 250, 250))
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, tilt, 120, 20), SIZE, tilt)
    found = place(photo)
    assert np.median(errors(found, centres, radii)) < 0.08
    assert found.edition.name == edition.name


def test_axes_are_the_discs_own() -> None:
    """axes_photo: one disc radius along board x and board y, as photo vectors."""
    sheet = Sheet(FIRST.cells, FIRST.radius)
    matrix = pose(sheet, SIZE, 30, 50, 130)
    photo, centres, _ = shoot(sheet, matrix, SIZE)
    found = place(photo)
    step = FIRST.radius * sheet.width
    for k, (region, (x, y)) in enumerate(FIRST.cells.items()):
        true = []
        for dx, dy in ((step, 0), (0, step)):
            moved = matrix @ [x * sheet.width + dx, y * sheet.width + dy, 1]
            true.append(moved[:2] / moved[2] - centres[k])
        assert found.cells[region].axes_photo == pytest.approx(np.array(true).T, abs=0.12 * np.hypot(*true[0]))


def test_a_12_megapixel_photo_gives_photo_pixels() -> None:
    sheet = Sheet(FIRST.cells, FIRST.radius, width=3600)
    size = (4000, 3000)
    photo, centres, radii = shoot(sheet, pose(sheet, size, 15, 0, 180), size)
    assert errors(place(photo), centres, radii).max() < 0.2


@pytest.mark.parametrize("seed", range(3))
def test_an_edition_nobody_measured_is_followed_disc_by_disc(seed: int) -> None:
    """Ten discs sit up to a radius elsewhere and all are larger: each cell still lies on its own disc."""
    rng = np.random.default_rng(seed)
    cells = dict(FIRST.cells)
    for region in rng.choice(list(cells), 10, replace=False):
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.0) * FIRST.radius
        x, y = cells[region]
        cells[region] = (x + far * np.cos(angle), y + far * np.sin(angle))
    sheet = Sheet(cells, 0.0215, ring=(120, 60, 30))
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 18, 200, 95), SIZE, seed)
    off = errors(place(photo), centres, radii)
    assert np.median(off) < 0.06
    assert (off < 0.2).sum() >= 39


def drawn_anew(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A photo, its discs and their sizes: each sits elsewhere, half a radius in the mean, as between two designs."""
    rng = np.random.default_rng(seed)
    points = np.array(list(FIRST.cells.values())) + rng.normal(0, 0.42 * FIRST.radius, (len(FIRST.cells), 2))
    for _ in range(40):  # discs do not lie on each other
        away = points[:, None] - points[None]
        gap = np.hypot(*away.transpose(2, 0, 1)) + np.eye(len(points))
        push = np.where(gap < 2.1 * FIRST.radius, (2.1 * FIRST.radius - gap) / 2 / gap, 0.0)
        np.fill_diagonal(push, 0.0)
        points = points + 0.5 * (push[..., None] * away).sum(axis=1)
    cells = {region: (float(x), float(y)) for region, (x, y) in zip(FIRST.cells, points, strict=True)}
    sheet = Sheet(cells, 0.0195, ring=(60, 120, 30))
    return shoot(sheet, pose(sheet, SIZE, 20, 70 * seed, 10), SIZE, seed)


@pytest.mark.parametrize("seed", range(4))
def test_a_board_drawn_anew_is_found(seed: int) -> None:
    """Discs up to one and a half radii from where any known edition has them."""
    photo, centres, radii = drawn_anew(seed)
    found = place(photo)
    off = errors(found, centres, radii)
    assert found.unmeasured
    assert found.log_odds > 10
    assert np.median(off) < 0.06
    assert (off < 0.2).sum() >= 38


def test_in_a_grid_of_discs_nobody_looks_for_a_board_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every place has a disc nearby any map fits; a known design still has to be where it is known to be."""
    photo, _, _ = drawn_anew(5)
    assert place(photo).unmeasured
    known, _, _ = shoot(Sheet(FIRST.cells, FIRST.radius), pose(Sheet(FIRST.cells, FIRST.radius), SIZE, 20, 0, 10), SIZE)
    monkeypatch.setattr("ontour_cv.vision.refine.regularity", lambda points: 0.3)
    assert not place(known).unmeasured
    with pytest.raises(BoardNotFound):
        place(photo)


def test_hidden_discs_are_placed_by_the_others_and_marked_unseen() -> None:
    sheet = Sheet(FIRST.cells, FIRST.radius)
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    hidden = np.argsort(np.hypot(*(centres - centres[14]).T))[:12]
    for k in hidden:
        cv2.circle(photo, tuple(int(v) for v in centres[k]), int(2.2 * radii[k]), (252, 252, 252), -1)
    found = place(photo)
    off = errors(found, centres, radii)
    assert off[hidden].max() < 0.25
    unseen = [k for k, cell in enumerate(found.cells.values()) if not cell.seen]
    assert len(set(hidden.tolist()) & set(unseen)) >= 10


def test_a_cut_edge_is_continued_and_marked_outside() -> None:
    sheet = Sheet(FIRST.cells, FIRST.radius)
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    cut = int(np.sort(centres[:, 0])[6])
    found = place(np.ascontiguousarray(photo[:, cut:]))
    off = errors(found, centres - [cut, 0], radii)
    outside = centres[:, 0] - SEEN_RADII * radii < cut
    assert [not cell.inside for cell in found.cells.values()] == outside.tolist()
    assert np.median(off) < 0.06
    assert off.max() < 0.4


@pytest.mark.parametrize(("shown", "inside"), [(1.02, True), (0.7, True), (0.3, False), (-0.2, False)])
def test_a_disc_hardly_cut_is_in_the_picture(shown: float, inside: bool) -> None:
    """On a board lying aslant a whole disc in the frame's corner once counted as outside, by its axes' bounding box."""
    sheet = Sheet(FIRST.cells, FIRST.radius)
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 10, 45, 0), SIZE)
    last = int(centres[:, 0].argmax())
    edge = round(centres[last, 0] + shown * radii[last])
    found = place(np.ascontiguousarray(photo[:, :edge]))
    assert list(found.cells.values())[last].inside == inside


def test_a_folded_board_is_followed() -> None:
    """The left third is bent up by four degrees: no homography fits, the discs are met all the same."""
    sheet = Sheet(FIRST.cells, FIRST.radius)
    matrix = pose(sheet, SIZE, 20, 60, 10)
    photo, centres, radii = shoot(sheet, matrix, SIZE)
    x = np.arange(SIZE[0], dtype=np.float32)
    bend = np.where(x < 560, (560 - x) * 0.05, 0).astype(np.float32)
    at_y, at_x = np.mgrid[: SIZE[1], : SIZE[0]].astype(np.float32)
    bent = cv2.remap(photo, at_x, at_y + bend[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    moved = centres - np.column_stack([np.zeros(len(centres)), np.interp(centres[:, 0], x, bend)])
    off = errors(place(np.asarray(bent)), moved, radii)
    assert np.median(off) < 0.06
    assert off.max() < 0.3


@pytest.mark.parametrize("lens", [False, True])
def test_a_curled_sheet_and_a_board_by_a_wide_lens_are_followed_and_known(lens: bool) -> None:
    """Discs up to two radii from where a flat board has them: each cell lies on its own, and the print is known."""
    edition = FIRST if lens else SHEET
    sheet = Sheet(edition.cells, edition.radius) if lens else Sheet(edition.cells, edition.radius, **LINE_ART)  # type: ignore[arg-type]
    photo, centres, _ = shoot(sheet, pose(sheet, SIZE, 10, 60, 5, fill=0.85), SIZE)
    at_y, at_x = np.mgrid[: SIZE[1], : SIZE[0]].astype(np.float32)
    from_x, from_y = at_x, at_y + 75 * np.sin(np.pi * at_x / SIZE[0])
    if lens:
        u, v = (at_x - SIZE[0] / 2) / SIZE[0], (at_y - SIZE[1] / 2) / SIZE[0]
        pull = 0.95 + 0.55 * (u**2 + v**2)
        from_x, from_y = SIZE[0] / 2 + u * pull * SIZE[0], SIZE[1] / 2 + v * pull * SIZE[0]
    maps = from_x.astype(np.float32), from_y.astype(np.float32)
    found = place(np.asarray(cv2.remap(photo, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)))
    spots = np.array([cell.centre_photo for cell in found.cells.values()]).astype(np.float32)[None]
    flat = np.stack([cv2.remap(each, spots, None, cv2.INTER_LINEAR)[0] for each in maps], axis=-1)
    size = np.sqrt(abs(np.linalg.det(np.array([cell.axes_photo for cell in found.cells.values()]))))
    assert (np.hypot(*(flat - centres).T) / size).max() < 0.2
    assert found.edition.name == edition.name
    assert not found.unmeasured


@pytest.mark.parametrize(("tilt", "roll"), [(8, 0), (25, 130), (35, 250)])
def test_a_board_whose_discs_cannot_be_seen_is_found_by_what_is_written(
    tilt: float, roll: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ontour_cv.vision.register._best_fit", lambda *_, **__: None)  # as if no disc made sense
    sheet = Sheet(FIRST.cells, FIRST.radius, art=False, disc=(250, 250, 250), ring=(250, 250, 250))
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, tilt, 70, roll), SIZE, int(tilt))
    found = place(photo)
    off = errors(found, centres, radii)
    assert np.median(off) < 0.3
    assert off.max() < 0.8
    with pytest.raises(BoardNotFound):
        register(Photo("test", photo), find_discs(Photo("test", photo)), EDITIONS, thorough=False)


def test_what_plainly_is_something_else_is_not_searched_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Photo("sheet", np.full((600, 800, 3), 200, np.uint8))
    candidates = find_discs(picture)
    searched: list[bool] = []

    def search(*_: object) -> object:
        searched.append(True)
        return candidates

    monkeypatch.setattr("ontour_cv.vision.register.find_in", search)
    with pytest.raises(BoardNotFound, match="sheet: this is something else"):
        register(picture, candidates, EDITIONS, instead=lambda: True)
    assert not searched
    with pytest.raises(BoardNotFound, match="no known board"):
        register(picture, candidates, EDITIONS, instead=lambda: False)
    assert searched


def test_where_a_board_is_plain_nothing_else_is_looked_for() -> None:
    sheet = Sheet(FIRST.cells, FIRST.radius)
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 12, 30, 0), SIZE, 1)
    picture = Photo("board", photo)

    def looked() -> bool:
        raise AssertionError("asked")

    assert register(picture, find_discs(picture), EDITIONS, instead=looked).edition.name == FIRST.name


@pytest.mark.parametrize("kind", ["mirror", "other constellation", "blank"])
def test_what_is_written_elsewhere_is_no_board(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ontour_cv.vision.register._best_fit", lambda *_, **__: None)
    rng = np.random.default_rng(5)
    cells = dict(FIRST.cells)
    if kind == "other constellation":
        cells = {f"R{k}": (float(x), float(y)) for k, (x, y) in enumerate(_scattered(rng, 41, 0.065))}
    sheet = Sheet(cells, FIRST.radius, art=False, disc=(250, 250, 250), ring=(250, 250, 250), marks=kind != "blank")
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 12, 70, 20), SIZE)
    with pytest.raises(BoardNotFound):
        place(np.ascontiguousarray(photo[:, ::-1]) if kind == "mirror" else photo)


def test_a_mirrored_board_is_refused_by_name() -> None:
    sheet = Sheet(FIRST.cells, FIRST.radius)
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    with pytest.raises(BoardNotFound, match="mirror"):
        place(np.ascontiguousarray(photo[:, ::-1]))


def test_a_plain_mirrored_board_is_told_without_a_longer_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ontour_cv.vision.register.find_in", lambda *_: pytest.fail("searched on"))
    sheet = Sheet(FIRST.cells, FIRST.radius)
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    with pytest.raises(BoardNotFound, match="mirror"):
        place(np.ascontiguousarray(photo[:, ::-1]))


def test_the_order_of_editions_changes_nothing() -> None:
    sheet = Sheet(SHEET.cells, SHEET.radius, art=False, disc=(250, 250, 250))
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    one, other = place(photo), place(photo, EDITIONS[::-1])
    assert one.edition.name == other.edition.name == SHEET.name
    assert one.log_odds == pytest.approx(other.log_odds, abs=1e-6)
    for region, cell in one.cells.items():
        assert cell.centre_photo == pytest.approx(other.cells[region].centre_photo, abs=1e-6)


def test_the_same_photo_gives_the_same_placement() -> None:
    sheet = Sheet(FIRST.cells, FIRST.radius)
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 35, 90, 10), SIZE)
    one, other = place(photo), place(photo)
    assert one.log_odds == other.log_odds
    assert [c.centre_photo for c in one.cells.values()] == [c.centre_photo for c in other.cells.values()]


def test_of_two_maps_the_right_one_is_named() -> None:
    rng = np.random.default_rng(8)
    cells = {f"R{k}": (float(x), float(y)) for k, (x, y) in enumerate(_scattered(rng, 30, 0.09))}
    other = replace(FIRST, map="other", name="one", cells=cells)
    for edition in (FIRST, other):
        sheet = Sheet(edition.cells, edition.radius)
        photo, _, _ = shoot(sheet, pose(sheet, SIZE, 15, 40, 100), SIZE)
        assert place(photo, (FIRST, other)).edition.map == edition.map


def _scattered(rng: np.random.Generator, count: int, least: float) -> np.ndarray:
    """Random points of a board that keep ``least`` from each other."""
    points: list[np.ndarray] = []
    while len(points) < count:
        point = rng.uniform([0.08, 0.06], [0.92, 0.58])
        if all(np.hypot(*(point - other)) > least for other in points):
            points.append(point)
    return np.array(points)


def _foreign(kind: str, rng: np.random.Generator) -> np.ndarray:
    """A picture that holds no board."""
    picture = np.full((900, 1200, 3), rng.integers(90, 250, 3), np.uint8)
    pitch = int(rng.integers(44, 90))
    if kind == "other constellation":
        sheet = Sheet({f"R{k}": (float(x), float(y)) for k, (x, y) in enumerate(_scattered(rng, 41, 0.065))})
        return shoot(
            sheet, pose(sheet, (1200, 900), rng.uniform(0, 30), rng.uniform(0, 360), rng.uniform(0, 360)), (1200, 900)
        )[0]
    if kind == "noise":
        noise = cv2.GaussianBlur(rng.integers(0, 255, picture.shape).astype(np.uint8), (0, 0), float(rng.uniform(1, 9)))
        return np.asarray(cv2.normalize(noise, None, 0, 255, cv2.NORM_MINMAX))
    for row, y in enumerate(range(pitch, 900 - pitch, pitch)):
        for col, x in enumerate(range(pitch, 1200 - pitch, pitch)):
            if kind == "chessboard" and (row + col) % 2:
                cv2.rectangle(picture, (x, y), (x + pitch, y + pitch), (40, 50, 60), -1)
            if kind == "coins" or (kind in ("chessboard", "go board") and rng.random() < 0.4):
                shift = pitch // 2 if kind == "coins" and row % 2 else 0
                shade = (60, 130, 190) if kind == "coins" else ((25, 25, 25), (245, 245, 245))[rng.integers(2)]
                cv2.circle(picture, (x + shift, y), round(0.42 * pitch), shade, -1, cv2.LINE_AA)
            if kind == "sudoku":
                cv2.rectangle(picture, (x, y), (x + pitch, y + pitch), (20, 20, 20), 3 if row % 3 == 0 else 1)
                cv2.putText(picture, str(rng.integers(1, 10)), (x + 8, y + pitch - 10), 0, pitch / 40, (10, 10, 10), 2)
    if kind == "random discs":
        for _ in range(int(rng.integers(40, 160))):
            shade = [int(v) for v in rng.integers(0, 255, 3)]
            cv2.circle(
                picture, tuple(int(v) for v in rng.integers(0, (1200, 900))), int(rng.integers(10, 26)), shade, -1
            )
    return picture


KINDS = ("other constellation", "noise", "chessboard", "coins", "go board", "sudoku", "random discs")


def pictures_without_a_board(each: int) -> Iterator[tuple[str, np.ndarray]]:
    for kind in KINDS:
        for seed in range(each):
            yield f"{kind} {seed}", _foreign(kind, np.random.default_rng([KINDS.index(kind), seed]))


def test_pictures_without_a_board_are_refused() -> None:
    for name, picture in pictures_without_a_board(3):
        with pytest.raises(BoardNotFound) as refusal:
            place(picture)
            pytest.fail(f"{name} was taken for a board")
        assert refusal.value.remedy


@pytest.mark.parametrize("cells", [20, 24])
def test_half_a_board_is_not_a_board_of_another_map(cells: int) -> None:
    """Discs of the map in wrong places: the same number, the same sizes, no constellation."""
    rng = np.random.default_rng(cells)
    shuffled = dict(FIRST.cells)
    for region in rng.choice(list(shuffled), 41 - cells // 2, replace=False):
        x, y = shuffled[region]
        shuffled[region] = (
            x + rng.choice([-1, 1]) * rng.uniform(0.04, 0.06),
            y + rng.choice([-1, 1]) * rng.uniform(0.04, 0.06),
        )
    sheet = Sheet(shuffled)
    photo, _, _ = shoot(sheet, pose(sheet, SIZE, 10, 0, 0), SIZE)
    with pytest.raises(BoardNotFound):
        place(photo)


@pytest.mark.parametrize("radius", [0.015, 0.0275])
def test_axes_follow_discs_of_another_size(radius: float) -> None:
    """An edition with discs a quarter smaller or a third larger: cells are cut to them, not to the known ones."""
    sheet = Sheet(FIRST.cells, radius)
    photo, centres, radii = shoot(sheet, pose(sheet, SIZE, 18, 40, 70), SIZE)
    found = place(photo)
    sizes = np.array([np.sqrt(np.linalg.det(cell.axes_photo)) for cell in found.cells.values()])
    assert np.median(sizes / radii) == pytest.approx(1.0, abs=0.1)
    assert np.median(errors(found, centres, radii)) < 0.06


@pytest.mark.parametrize(
    ("outside", "seen", "log_odds", "believed"),
    [
        (0, 20, 1.0, True),  # all of it in the picture: the evidence decides
        (0, 20, -1.0, False),
        (16, 15, 13.0, False),  # two fifths cut off, and three fifths of the rest seen
        (16, 20, 13.0, True),  # the same with four fifths of the rest seen
        (16, 15, 30.0, True),  # or with more evidence
        (16, 24, -1.0, False),
        (8, 15, 13.0, True),  # an edge cut off
        (41, 0, 13.0, True),  # nothing inside is not for this rule to judge
    ],
)
def test_a_board_cut_off_has_to_show_that_it_is_one(outside: int, seen: int, log_odds: float, believed: bool) -> None:
    centres = np.full((41, 2), 50.0)
    centres[:outside] = -50.0
    flags = np.zeros(41, dtype=bool)
    flags[outside : outside + seen] = True
    flat = Homography(np.eye(3), "board", "photo")
    fit = Fit(FIRST, flat, centres, np.tile(np.eye(2), (41, 1, 1)), flags, flags, np.zeros(41), log_odds)
    assert evidence.believed(fit, Photo("cut", np.zeros((100, 100, 3), np.uint8))) is believed


def test_what_a_wide_look_found_needs_more_evidence() -> None:
    """More is tried, so chance has more to offer."""
    fit = Fit(FIRST, Homography(np.eye(3), "board", "photo"), np.full((41, 2), 50.0), np.tile(np.eye(2), (41, 1, 1)),
              np.ones(41, dtype=bool), np.ones(41, dtype=bool), np.zeros(41), WIDE_LOG_ODDS - 1.0)  # fmt: skip
    photo = Photo("wide", np.zeros((100, 100, 3), np.uint8))
    assert evidence.believed(fit, photo)
    assert not evidence.believed(fit, photo, WIDE_LOG_ODDS)


@pytest.mark.parametrize(("bent", "shown"), [(False, 41), (True, 30)])
def test_on_a_bent_board_a_disc_that_was_not_found_is_not_read(bent: bool, shown: int) -> None:
    """On a flat one its place is known from all others."""
    seen = np.arange(41) < 30
    flat = Homography(np.eye(3), "board", "photo")
    centres, axes = np.full((41, 2), 50.0), np.tile(np.eye(2), (41, 1, 1))
    fit = Fit(FIRST, flat, centres, axes, seen, seen, np.zeros(41), 99.0, bent)
    nothing = Candidates(np.empty((0, 2)), np.empty(0), np.empty(0), np.empty((0, 3)), None)  # type: ignore[arg-type]
    placement = _placement(Photo("bent", np.zeros((100, 100, 3), np.uint8)), nothing, fit)
    assert placement.bent is bent
    assert sum(place.inside for place in placement.cells.values()) == shown
