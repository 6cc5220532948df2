"""Pages: what was ordered, within the paper's margins, as a PDF that is the same every time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.press.cards import HEIGHT, WIDTH
from ontour_cv.press.design import load_design
from ontour_cv.press.drawing import Drawing, Group, Shape, Text
from ontour_cv.press.letters import text_width
from ontour_cv.press.paper import FOOT_SIZES, MARGIN, OVERLAP, PAPERS, TILED_WIDTH, Paper, foot
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


@pytest.mark.parametrize("paper", PAPERS.values(), ids=str)
@pytest.mark.parametrize("wish", [{}, {"tiled": True}, {"cards": True}, {"per_page": 1}, {"per_page": 2}], ids=str)
def test_the_line_at_the_foot_is_printed_and_touches_neither_marks_nor_what_is_cut_out(
    paper: Paper, wish: dict[str, bool]
) -> None:
    template = load_map("rolling-america" if "per_page" in wish else "new-york-home")
    long = replace(template, title=f"{template.title} {'and all that lies around it ' * 9}")
    for one in (template, long):
        for page in make_pages(one, load_design(template), Order(paper, **wish)):
            (words,) = [item for item in page.items if isinstance(item, Text)]
            wide, low = text_width(words.text, words.size), words.at[1] + 0.33 * words.size
            left, right, top = words.at[0] - wide / 2, words.at[0] + wide / 2, words.at[1] - words.size
            assert words.size >= 1.1
            assert "ontour-cv; " in words.text
            assert min(left, page.width - right, page.height - low) >= 4.8
            things = [(min(xs), min(ys), max(xs), max(ys)) for xs, ys in corners(page)]
            assert not [box for box in things if box[0] < right and left < box[2] and box[1] < low and top < box[3]]


def test_a_foot_that_is_too_long_goes_without_the_brackets_before_it_is_cut() -> None:
    title, rest = "New York (home edition)", ", ontour-cv; cards 1 to 9 of 40"
    whole = text_width(title + rest, FOOT_SIZES[1])
    texts = [foot(title + rest, 210.0, 297.0, room).text for room in (whole + 3.1, whole + 2.9, whole * 0.75)]
    assert texts[:2] == [title + rest, "New York" + rest]
    assert texts[2].startswith("New") and "..." in texts[2] and texts[2].endswith(rest)


def corners(page: Drawing) -> list[tuple[list[float], list[float]]]:
    """Where the corners lie, across and down, of every mark, and of what is cut out."""
    marks = [[p[axis] for p in part] for item in page.items if isinstance(item, Shape)
             for part in item.parts for axis in (0, 1)]  # fmt: skip
    found = list(zip(marks[::2], marks[1::2], strict=True))
    groups = [] if "sheet is" in str(page.items[-1]) else windows(page)
    return found + [([box[0], box[2]], [box[1], box[3]]) for box in groups]


def test_the_pdf_is_the_same_every_time_and_true_to_scale() -> None:
    pages = make_pages(EUROPE, DESIGN, Order(PAPERS["a4"]))
    content = make_pdf(pages, "Europe")
    assert content == make_pdf(pages, "Europe")
    assert content.startswith(b"%PDF-")
    assert b"/MediaBox [ 0 0 841.8898 595.2756 ]" in content
    assert b"/Image" not in content.replace(b"/ImageB", b"").replace(b"/ImageC", b"").replace(b"/ImageI", b"")
