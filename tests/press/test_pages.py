"""Pages: what was ordered, within the paper's margins, as a PDF that is the same every time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.press.cards import HEIGHT, WIDTH
from ontour_cv.press.design import load_design
from ontour_cv.press.drawing import Drawing, Group
from ontour_cv.press.paper import MARGIN, OVERLAP, PAPERS, TILED_WIDTH
from ontour_cv.press.pdf import make_pdf
from ontour_cv.press.product import Order, make_pages

EUROPE = load_map("europe-home")
DESIGN = load_design(EUROPE)


def windows(page: Drawing) -> list[tuple[float, float, float, float]]:
    """Where on the page each group that is cut out lies: left, top, right, bottom."""
    found = []
    for item in page.items:
        if isinstance(item, Group):
            inner = item if item.window else item.items[0]
            assert isinstance(inner, Group)
            scale = inner.scale
            xs = [item.shift[0] + scale * x for x, _ in inner.window[0]]
            ys = [item.shift[1] + scale * y for _, y in inner.window[0]]
            found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


@pytest.mark.parametrize("paper", PAPERS.values(), ids=str)
@pytest.mark.parametrize("tiled", [False, True])
def test_boards_keep_the_papers_margins(paper: object, tiled: bool) -> None:
    for page in make_pages(EUROPE, DESIGN, Order(paper, tiled=tiled)):  # type: ignore[arg-type]
        ((left, top, right, bottom),) = windows(page)
        assert min(left, top, page.width - right, page.height - bottom) >= MARGIN - 1e-6


def test_the_halves_of_a_tiled_board_overlap_by_the_strip_to_glue() -> None:
    first, second = (windows(page)[0] for page in make_pages(EUROPE, DESIGN, Order(PAPERS["a4"], tiled=True)))
    assert (first[2] - first[0]) + (second[2] - second[0]) == pytest.approx(TILED_WIDTH + OVERLAP)


def test_the_deck_has_nine_cards_of_63_by_88_mm_to_a_sheet() -> None:
    sheets = make_pages(EUROPE, DESIGN, Order(PAPERS["letter"], cards=True))
    assert [len(windows(sheet)) for sheet in sheets] == [9, 9, 9, 9, 3]
    for left, top, right, bottom in windows(sheets[0]):
        assert (right - left, bottom - top) == pytest.approx((WIDTH, HEIGHT))
        assert left >= MARGIN / 2
        assert bottom <= 279.4 - MARGIN / 2


@pytest.mark.parametrize(("cards", "sizes"), [(True, [9, 9, 9, 9, 9]), (False, [9])])
def test_blank_cards_fill_the_sheet(cards: bool, sizes: list[int]) -> None:
    sheets = make_pages(EUROPE, DESIGN, Order(PAPERS["a4"], cards=cards, blank=True))
    assert [len(windows(sheet)) for sheet in sheets] == sizes


def test_a_map_without_cards_has_no_deck() -> None:
    bare = replace(EUROPE, cards=())
    with pytest.raises(UsageError, match="without cards"):
        make_pages(bare, DESIGN, Order(PAPERS["a4"], cards=True))


@pytest.mark.parametrize(
    ("wish", "why"),
    [({"cards": True}, "not with cards"), ({"blank": True}, "not with cards"), ({"tiled": True}, "fits on one page")],
)
def test_a_sheet_has_no_cards_and_no_halves(wish: dict[str, bool], why: str) -> None:
    rolling = load_map("rolling-america")
    with pytest.raises(UsageError, match=why):
        make_pages(rolling, load_design(rolling), Order(PAPERS["a4"], **wish))


def test_the_pdf_is_the_same_every_time_and_true_to_scale() -> None:
    pages = make_pages(EUROPE, DESIGN, Order(PAPERS["a4"]))
    content = make_pdf(pages, "Europe")
    assert content == make_pdf(pages, "Europe")
    assert content.startswith(b"%PDF-")
    assert b"/MediaBox [ 0 0 841.8898 595.2756 ]" in content
    assert b"/Image" not in content.replace(b"/ImageB", b"").replace(b"/ImageC", b"").replace(b"/ImageI", b"")
