"""What somebody wants printed, and its pages."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.errors import UsageError
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.board import BoardLook, draw_board
from ontour_cv.press.cards import blank_cards, card_sheets, deck
from ontour_cv.press.city_cards import city_deck
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.drawing import Drawing
from ontour_cv.press.paper import TILED_WIDTH, Paper, single_page, single_width, tiled_pages
from ontour_cv.press.sheet_pages import has_sheet, sheet_page


@dataclass(frozen=True, slots=True)
class Order:
    """What to print.

    Attributes:
        paper: on which paper.
        lineart: lines only.
        tiled: the board in two halves.
        cards: the deck instead of the board.
        blank: a page of blank cards.
        per_page: sheets on a page, 1 or 2, for maps that are played on sheets.
    """

    paper: Paper
    lineart: bool = False
    tiled: bool = False
    cards: bool = False
    blank: bool = False
    per_page: int = 2


def make_pages(template: MapTemplate, design: BoardDesign, order: Order) -> list[Drawing]:
    """The pages of an order; ``UsageError`` when cards are wanted of a map without, or a sheet in two halves."""
    if has_sheet(template):
        return _sheet_pages(template, order)
    if order.cards or order.blank:
        return _card_pages(template, design, order)
    width = TILED_WIDTH if order.tiled else single_width(order.paper)
    board = draw_board(template, design, BoardLook(order.lineart), width)
    disc = f"{2 * design.radius * width:.1f}"
    note = f"{template.title}, ontour-cv; true to scale when the discs are {disc} mm across"
    if order.tiled:
        return list(tiled_pages(board, order.paper, note))
    return [single_page(board, order.paper, note)]


def _sheet_pages(template: MapTemplate, order: Order) -> list[Drawing]:
    """Sheets of cells; the design of a board says nothing about them."""
    if order.cards or order.blank:
        raise UsageError(
            f"{template.title} is played with dice, not with cards", "Leave --cards and --blank-cards away."
        )
    if order.tiled:
        raise UsageError(
            f"a sheet of {template.title} fits on one page", "Leave --tiled away; --per-page 1 gives the largest sheet."
        )
    return [sheet_page(template, order.paper, order.per_page, order.lineart)]


def _card_pages(template: MapTemplate, design: BoardDesign, order: Order) -> list[Drawing]:
    if order.cards and not template.cards and template.city is None:
        raise UsageError(f"the map {template.title} is played without cards", "Print its board: leave --cards away.")
    cards: list[Drawing] = []
    if order.cards and template.city is not None:
        cards = city_deck(template, template.city, design, order.lineart)
    elif order.cards:
        cards = deck(template, design, order.lineart)
    if order.blank:  # they fill the last sheet of the deck, or one of their own
        cards += blank_cards(template, order.lineart, -len(cards) % 9 or 9)
    return card_sheets(cards, order.paper, f"{template.title}, ontour-cv; cards of 63 x 88 mm")
