"""When the shutter is pressed: rules of the gate, over streams of made-up looks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.camera.gate import MOST_KEPT, Gate, GateSettings, Wait, keep_best, step
from ontour_cv.camera.look import Look

IDS = ("WA", "OR", "CA", "NV")
CFG = GateSettings()


def look(
    x: float = 0.0,
    radius: float = 20.0,
    width: float = 0.12,
    outside: tuple[str, ...] = (),
    glare: tuple[str, ...] = (),
) -> Look:
    centres = np.array([[x, 0], [100 + x, 0], [x, 100], [100 + x, 100]], dtype=np.float64)
    return Look(IDS, centres, radius, width, outside, glare)


LOOKS = st.one_of(
    st.none(),
    st.builds(
        look,
        x=st.sampled_from([0.0, 1.0, 40.0]),
        radius=st.sampled_from([5.0, 20.0]),
        width=st.sampled_from([0.1, 0.12, 0.4]),
        outside=st.sampled_from([(), ("WA",)]),
        glare=st.sampled_from([(), ("NV",), ("NV", "CA")]),
    ),
)


def run(looks: list[Look | None]) -> Gate:
    gate = Gate()
    for number, each in enumerate(looks, 1):
        gate = step(gate, number, each)
        if gate.done:
            break
    return gate


def test_a_still_sharp_board_is_photographed_after_a_few_frames() -> None:
    assert run([look()] * (CFG.frames + 1)).done, "the first frame has none before it to be still against"
    assert not run([look()] * CFG.frames).done


def test_each_fault_is_told_in_words_a_player_can_act_on() -> None:
    assert run([None]).message == "no board yet"
    assert run([look(), look(x=40)]).message == "hold still"
    assert run([look(), look(width=0.4)]).message == "too blurred"
    assert run([look(radius=6)]).message == "closer: discs are only 6 px"
    assert run([look(outside=("WA",))]).message == "the whole board must be in the picture: WA is cut off"
    assert run([look(glare=("NV", "CA"))] * 5).message == "glare over CA, NV: move the camera a little"


def test_glare_is_waited_out_for_a_while_only() -> None:
    shiny = look(glare=("NV",))
    assert not run([shiny] * CFG.patience).done
    assert run([shiny] * (CFG.patience + 1)).done


def test_glare_that_lay_elsewhere_in_another_frame_does_no_harm() -> None:
    gate = run([look(glare=("NV",))] * 4 + [look(glare=("WA",))] * 4)
    assert gate.done
    assert len(gate.kept) == 2, "one frame for each side"


@given(st.lists(LOOKS, max_size=60))
def test_done_means_found_whole_near_sharp_and_still(looks: list[Look | None]) -> None:
    gate = run(looks)
    for _, kept in gate.kept:
        assert not kept.outside
        assert kept.radius_px >= CFG.least_radius_px
        assert kept.width <= CFG.most_width
    assert len(gate.kept) <= MOST_KEPT
    if gate.done:
        assert gate.row >= CFG.frames
        assert gate.kept
        assert gate.clear == set(IDS) or gate.good >= CFG.patience


@given(st.lists(LOOKS, max_size=30))
def test_a_frame_without_a_board_starts_the_waiting_again(looks: list[Look | None]) -> None:
    gate = step(run(looks), 99, None)
    assert (gate.row, gate.wait) == (0, Wait.BOARD)


@given(st.lists(st.builds(look, width=st.floats(0.1, 0.2), glare=st.sampled_from([(), ("NV",)])), min_size=1))
def test_the_sharpest_frame_is_always_kept(looks: list[Look]) -> None:
    kept = keep_best(list(enumerate(looks)))
    assert kept[0][1].width == min(each.width for each in looks)
