"""Drawings on paper: a PDF of vectors, a page for each drawing, the same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from ontour_cv.press.drawing import Circle, Colour, Drawing, Group, Item, Pen, Point, Shape, Text
from ontour_cv.press.letters import em_size, face_bytes, printable, typeface

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

POINT = 72 / 25.4
"""PDF units in a millimetre."""

HALO = 0.44
"""Width of the soft edge round letters, in heights of a capital."""


def make_pdf(pages: Sequence[Drawing], title: str) -> bytes:
    """The pages as a PDF file, true to scale."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = BytesIO()
    first = pages[0]
    # ``invariant`` leaves out the date and the random id.
    canvas = Canvas(buffer, (first.width * POINT, first.height * POINT), pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("ontour-cv")
    canvas.setAuthor("ontour-cv")
    _embed()
    for page in pages:
        canvas.setPageSize((page.width * POINT, page.height * POINT))
        canvas.transform(POINT, 0, 0, -POINT, 0, page.height * POINT)  # millimetres, y down
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        _draw_all(canvas, page.items)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _embed() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    for face in ("Aileron", "Vera"):
        pdfmetrics.registerFont(TTFont(face, BytesIO(face_bytes(face))))


def _draw_all(canvas: Canvas, items: tuple[Item, ...]) -> None:
    for item in items:
        if isinstance(item, Shape):
            _draw_shape(canvas, item)
        elif isinstance(item, Circle):
            _draw_circle(canvas, item)
        elif isinstance(item, Text):
            _draw_text(canvas, item)
        else:
            _draw_group(canvas, item)


def _draw_group(canvas: Canvas, group: Group) -> None:
    canvas.saveState()
    canvas.transform(group.scale, 0, 0, group.scale, *group.shift)
    if group.window:
        canvas.clipPath(_path(canvas, group.window, True), stroke=0, fill=0)
    _draw_all(canvas, group.items)
    canvas.restoreState()


def _draw_shape(canvas: Canvas, shape: Shape) -> None:
    _inks(canvas, shape.fill, shape.pen)
    path = _path(canvas, shape.parts, shape.closed)
    canvas.drawPath(path, stroke=int(shape.pen is not None), fill=int(shape.fill is not None), fillMode=0)


def _draw_circle(canvas: Canvas, circle: Circle) -> None:
    _inks(canvas, circle.fill, circle.pen)
    x, y = circle.centre
    canvas.circle(x, y, circle.radius, stroke=int(circle.pen is not None), fill=int(circle.fill is not None))


def _draw_text(canvas: Canvas, text: Text) -> None:
    words = printable(text.text)
    face = typeface(words)
    em = em_size(face) * text.size
    width = canvas.stringWidth(words, face, em)
    left = {"left": 0.0, "middle": width / 2, "right": width}[text.align]
    canvas.saveState()
    canvas.transform(1, 0, 0, -1, text.at[0] - left, text.at[1])  # letters stand upright
    for colour, edge in ((text.halo, HALO * text.size), (text.colour, text.weight * text.size)):
        if colour is None:
            continue
        canvas.saveState()  # else the next text would be written as wide as this one
        _inks(canvas, colour, Pen(colour, edge))
        line = canvas.beginText(0, 0)
        line.setFont(face, em)
        line.setTextRenderMode(2 if edge else 0)
        line.textOut(words)
        canvas.drawText(line)
        canvas.restoreState()
    canvas.restoreState()


def _inks(canvas: Canvas, fill: Colour | None, pen: Pen | None) -> None:
    if fill is not None:
        canvas.setFillColorRGB(*(value / 255 for value in fill))
    if pen is not None:
        canvas.setStrokeColorRGB(*(value / 255 for value in pen.colour))
        canvas.setLineWidth(pen.width)
        canvas.setDash(list(pen.dash))


def _path(canvas: Canvas, parts: tuple[tuple[Point, ...], ...], closed: bool) -> object:
    path = canvas.beginPath()
    for part in parts:
        path.moveTo(*part[0])
        for point in part[1:]:
            path.lineTo(*point)
        if closed:
            path.close()
    return path
