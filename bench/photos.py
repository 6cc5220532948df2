"""Fresh photos for measuring: picture ``k`` of a tier depends on the seed, the tier and ``k`` alone."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import load_design
from ontour_cv.press.editions import NAME
from ontour_cv.synth.photograph import Settings, render, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import Print, make_print
from ontour_cv.synth.recorded import RecordedHand, load_recorded
from ontour_cv.synth.strokes import Hand, parametric_hand, sample_writer
from ontour_cv.synth.truth import Truth

UNKNOWN_EDITIONS = 0.3
"""Share of photos that show an edition nobody measured."""


@dataclass(frozen=True)
class Studio:
    """Where measured photos come from.

    Attributes:
        seed: another seed, other photos.
        strokes: folder of recorded pen strokes, of which only writers never trained on are used; without it our own
            hands, made to prefer shapes training never sees.
        backgrounds: folder of photos of tables.
        map: id of the map.
        split: which of these writers: kept for testing, or for validation.
    """

    seed: int
    strokes: Path | None = None
    backgrounds: Path | None = None
    map: str = "usa"
    split: Literal["test", "valid"] = "test"

    @cached_property
    def template(self) -> MapTemplate:
        """The map."""
        return load_map(self.map)

    @cached_property
    def editions(self) -> tuple[Edition, ...]:
        """Its published editions; the project's own board where there is no other."""
        known = tuple(load_editions(self.map))
        return tuple(edition for edition in known if edition.name != NAME) or known

    @cached_property
    def sheets(self) -> tuple[Print, ...]:
        """The project's own board in colour and as line art; none for a map with a publisher's edition."""
        if any(edition.name != NAME for edition in self.editions):
            return ()
        design = load_design(self.template)
        return tuple(make_print(self.template, design, lineart) for lineart in (False, True))

    @cached_property
    def writers(self) -> list[dict[str, list[list[NDArray[np.float64]]]]]:
        """Recorded writers never trained on."""
        return load_recorded(self.strokes, self.split) if self.strokes else []

    @cached_property
    def tables(self) -> tuple[Path, ...]:
        """Photos to lay boards on."""
        return photos_in(self.backgrounds) if self.backgrounds else ()

    def rng(self, name: str, k: int) -> np.random.Generator:
        """All chance of picture ``k`` of the series ``name``."""
        return np.random.default_rng([self.seed, crc32(name.encode()), k])

    def shoot(self, tier: str, k: int, long_side: int | None = None) -> tuple[NDArray[np.uint8], Truth]:
        """Photo ``k`` of a tier, ``(H, W, 3)`` uint8 BGR, and its truth."""
        rng = self.rng(tier, k)
        board = sample_board(self.template, rng)
        writer = sample_writer(rng, self.hand(rng))
        if self.sheets:
            sheet = self.sheets[int(rng.integers(len(self.sheets)))]
            return render_print(sheet, board, Settings(tier, long_side, backgrounds=self.tables), rng, writer)
        edition = self.editions[int(rng.integers(len(self.editions)))]
        settings = Settings(tier=tier, long_side=long_side, jitter=UNKNOWN_EDITIONS, backgrounds=self.tables)
        return render(self.template, edition, board, settings, rng, writer)

    def hand(self, rng: np.random.Generator) -> Hand:
        """A hand nobody trained on."""
        own = parametric_hand(rng, held_out=True)
        return RecordedHand(self.writers[int(rng.integers(len(self.writers)))], own) if self.writers else own


def add_sources(parser: ArgumentParser) -> None:
    """The options ``--strokes`` and ``--backgrounds``: what a :class:`Studio` takes."""
    parser.add_argument("--strokes", type=Path, help="folder of recorded pen strokes; only writers kept for testing")
    parser.add_argument("--backgrounds", type=Path, help="folder of photos of tables")


def add_run(parser: ArgumentParser, boards: int, of: str, seed: int, out: Path) -> None:
    """The options of a benchmark of boards that may be on owners' blanks: how many, which, whose hands, and where to.

    Args:
        parser: that gets them.
        boards: how many without being told.
        of: what these are, for ``--help``.
        seed: without being told.
        out: the file of rows.
    """
    parser.add_argument("--blank", action="append", default=[], metavar="EDITION=PHOTO", help="repeatable")
    parser.add_argument("--boards", type=int, default=boards, help=of)
    parser.add_argument("--start", type=int, default=0, help="the first of them: for a run in parts")
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--split", choices=("test", "valid"), default="test", help="whose recorded hands")
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=out)


def photos_in(folder: Path) -> tuple[Path, ...]:
    """Pictures anywhere under a folder, in the order of their names."""
    return tuple(sorted(p for p in folder.rglob("*") if p.suffix.lower() in {".jpg", ".jpeg", ".png"}))
