"""Writes docs/accuracy.md and its picture from the rows in bench/results; a test checks that they agree.

Usage: python -m bench.report
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.breakdown import cell_hazards, confusions, pair_law, photo_conditions, stage_times
from bench.curves import reject_chart, reject_table, reliability
from bench.rows import RESULTS, Row, read_rows
from bench.stats import Share, quantile, table
from bench.targets import OTHER_MAPS, TIERS, found, target_table
from ontour_cv.maps.load import load_map

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, CHART = DOCS / "accuracy.md", DOCS / "error-reject.svg"


def main() -> None:
    """Write the page and the picture."""
    rows = read_rows(RESULTS / "accuracy.jsonl")
    refusals, beside = read_rows(RESULTS / "refusal.jsonl"), read_rows(RESULTS / "tesseract.jsonl")
    PAGE.write_text(page(rows, refusals, beside, other_maps()), encoding="utf-8")
    CHART.write_text(reject_chart(by_tier(rows)), encoding="utf-8")


def by_tier(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each tier that has targets."""
    return {tier: [row for row in rows if row["tier"] == tier] for tier in TIERS}


def other_maps() -> dict[str, list[Row]]:
    """The rows of every map but the first, by the map's title."""
    found = {path.stem.removeprefix("accuracy-"): path for path in sorted(RESULTS.glob("accuracy-*.jsonl"))}
    return {load_map(map_id).title: read_rows(path) for map_id, path in found.items()}


def page(
    rows: Sequence[Row], refusals: Sequence[Row], beside: Sequence[Row], others: Mapping[str, Sequence[Row]]
) -> str:
    """The whole page, Markdown.

    Args:
        rows: photos of boards, from ``bench.accuracy``.
        refusals: pictures without a board, from ``bench.refusal``.
        beside: boards read by Tesseract, from ``bench.tesseract``.
        others: photos of the boards of other maps, by the map's title.
    """
    tiers = by_tier(rows)
    parts = [_intro(rows, tiers), target_table(list(tiers.values())), _counting(rows)]
    for title, some in others.items():
        parts += [f"## {title}\n", _other_map(some)]
    parts += ["## Pictures without the board\n", _refusals(refusals)]
    parts += ["## By what lies on the cell\n"]
    for tier, some in tiers.items():
        parts += [f"{tier.capitalize()}:\n", cell_hazards(some)]
    parts += ["## By what the photo is like\n"]
    for tier, some in tiers.items():
        parts += [f"{tier.capitalize()}:\n", photo_conditions(some)]
    parts += [
        "## Errors left when cells are set aside\n",
        "Cells (mark and circle together) are set aside in the order of their confidence, the least sure first.\n",
        "![errors left against cells set aside](error-reject.svg)\n",
        reject_table(tiers),
        "## Confidence against truth\n",
        reliability(rows),
        "## What the law of reversed pairs brings\n",
        pair_law(rows),
        "## The commonest misreadings\n",
        confusions(rows),
        "## Beside Tesseract, on the same crops\n",
        _beside(beside),
        "## Milliseconds per stage\n",
        "Measured while other programs ran; [speed.md](speed.md) has the figures for a core of its own.\n",
        stage_times(rows),
    ]
    return "\n".join(parts)


def _intro(rows: Sequence[Row], tiers: dict[str, list[Row]]) -> str:
    counts = " and ".join(f"{len(some)} {tier}" for tier, some in tiers.items())
    kinds = Counter((row["hands"], row["tables"], row["model"]) for row in rows)
    who = {
        "recorded": "the recorded pen strokes of writers the network never saw",
        "own": "our own pen shapes, half of them kept from training",
    }
    origin = ""
    for (hands, tables, model), _ in kinds.most_common():
        ground = "photographed and drawn tables" if tables == "photos" else "drawn tables"
        origin += f"Handwriting: {who[hands]}. Ground: {ground}. Network: `{model}`.\n"
    unknown = Share(sum("jitter" in row["edition"] for row in rows), len(rows))
    return f"""# Accuracy

Written by `python -m bench.report` from `bench/results/`; a test checks that they agree. Make the figures again with
`python -m bench`.

Fresh rendered photos, one board each: {counts}; {unknown.short()} show an edition nobody measured. No photo
was used for training or tuning.
{origin}
Ordinary: tilt to 25°, fair light. Hard: tilt to 45°, any rotation, glare over up to four discs, a cut edge, blur, many
at 1080 pixels. Renders are not reality: real photos of unmeasured editions may be harder.
"""


def _other_map(rows: Sequence[Row]) -> str:
    """A map's targets and figures; all other tables of the page are about the first map."""
    tiers = by_tier(rows)
    counts = " and ".join(f"{len(some)} {tier}" for tier, some in tiers.items())
    networks = ", ".join(f"`{model}`" for model in sorted({row["model"] for row in rows}))
    return f"Fresh rendered photos: {counts}. Network: {networks}.\n\n" + target_table(list(tiers.values()), OTHER_MAPS)


def _counting(rows: Sequence[Row]) -> str:
    unseen = sum(row["unseen"] for row in found(rows))
    placed, total = sum(row["placed"] for row in found(rows)), sum(row["cells"] for row in found(rows)) + unseen
    return f"""How it is counted: *located* means that the median disc centre is within half a disc radius of the truth.
Cells, circles and silent errors are counted over all photos in which a board was found, rightly placed or not; boards
and scores over all photos, so a refused photo counts as wrong there. A silent error is a wrong mark or circle that is
not in `uncertain`. Discs mostly outside the picture are not counted ({unseen} of them). Disc centres within half a
radius of the truth: {Share(placed, total).text()}.
"""


def _refusals(rows: Sequence[Row]) -> str:
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row["kind"], []).append(row)
    lines = [[kind, *_refusal_cells(kinds[kind])] for kind in sorted(kinds)]
    lines.append(["**all**", *_refusal_cells(rows)])
    return table(["picture of", "pictures", "accepted", "median ms to refuse"], lines)


def _refusal_cells(rows: Sequence[Row]) -> list[object]:
    return [len(rows), sum(row["accepted"] for row in rows), f"{quantile([row['ms'] for row in rows], 0.5):.0f}"]


def _beside(rows: Sequence[Row]) -> str:
    readers = (
        ("Tesseract, one word (psm 8)", "psm8"),
        ("Tesseract, one line (psm 7)", "psm7"),
        ("Tesseract, either of them right", "either"),
        ("ontour-cv", "ours"),
    )
    lines = []
    for title, name in readers:
        shares = []
        for tier in TIERS:
            some = [row for row in rows if row["tier"] == tier]
            shares.append(Share(sum(row[name] for row in some), sum(row["cells"] for row in some)).text())
        lines.append([title, *shares])
    note = (
        f"Number cells of {len(rows)} boards. Tesseract gets digits only: enlarged, black on white, the ring cut off."
    )
    return note + "\n\n" + table(["numbers read rightly by", *TIERS], lines)


if __name__ == "__main__":
    main()
