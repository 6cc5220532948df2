"""load_photo: every kind of picture a phone or a computer makes, and a plain refusal of everything else."""

from __future__ import annotations

import io
import os
import struct
import threading
from contextlib import nullcontext
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from ontour_cv.errors import BadPhoto
from ontour_cv.vision import photo as photo_module
from ontour_cv.vision.photo import load_photo

RED, GREEN, BLUE, GREY = (200, 40, 30), (40, 180, 60), (30, 60, 200), (120, 120, 120)


def quarters(width: int = 160, height: int = 120) -> Image.Image:
    """A picture whose four quarters are red, green, blue and grey (RGB), row by row."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[: height // 2, : width // 2], picture[: height // 2, width // 2 :] = RED, GREEN
    picture[height // 2 :, : width // 2], picture[height // 2 :, width // 2 :] = BLUE, GREY
    return Image.fromarray(picture)


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def corners(data: bytes) -> list[tuple[int, int, int]]:
    """RGB at the middle of each quarter of the loaded picture."""
    bgr = load_photo(data, "test").bgr
    height, width = bgr.shape[:2]
    spots = [(height // 4, width // 4), (height // 4, 3 * width // 4), (3 * height // 4, width // 4)]
    spots.append((3 * height // 4, 3 * width // 4))
    return [tuple(int(v) for v in bgr[spot][::-1]) for spot in spots]


def near(found: list[tuple[int, int, int]], wanted: list[tuple[int, int, int]], slack: int = 8) -> bool:
    return all(
        abs(a - b) <= slack for one, other in zip(found, wanted, strict=True) for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize(
    ("kind", "options"), [("JPEG", {"quality": 95}), ("PNG", {}), ("WEBP", {"quality": 95}), ("BMP", {}), ("TIFF", {})]
)
def test_every_common_format_gives_the_same_picture(kind: str, options: dict[str, object]) -> None:
    assert near(corners(encoded(quarters(), kind, **options)), [RED, GREEN, BLUE, GREY])


def test_heic_of_an_iphone_is_read() -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    pillow_heif.register_heif_opener()
    assert near(corners(encoded(quarters(), "HEIF", quality=95)), [RED, GREEN, BLUE, GREY])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_turns_the_picture_upright(kind: str, orientation: int) -> None:
    """The picture is stored as a camera held that way would; loaded, it must look as it was."""
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # the transposition that stores it so (values of Image.Transpose)
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}
    assert set(back) == set(undo)
    stored = quarters() if orientation == 1 else quarters().transpose(Image.Transpose(back[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"quality": 95} if kind != "PNG" else {}
    assert near(corners(encoded(stored, kind, exif=exif, **options)), [RED, GREEN, BLUE, GREY])


@pytest.mark.parametrize("mode", ["L", "LA", "P", "1", "I;16", "I", "F"])
def test_grey_and_palette_pictures_become_colour(mode: str) -> None:
    ramp = np.tile(np.arange(0, 256, dtype=np.uint8), (100, 1))
    if mode == "I;16":
        image = Image.fromarray(ramp.astype(np.uint16) * 257)
    elif mode in ("I", "F"):
        image = Image.fromarray(ramp.astype(np.int32 if mode == "I" else np.float32))
    else:
        image = Image.fromarray(ramp).convert(mode)
    bgr = load_photo(encoded(image, "TIFF" if mode in ("I", "F") else "PNG")).bgr
    assert bgr.shape == (100, 256, 3)
    assert bgr.dtype == np.uint8
    assert int(bgr[50, 10].max()) < 60
    assert int(bgr[50, 245].min()) > 200


def test_sixteen_bit_colour_is_scaled_and_not_clipped() -> None:
    wide = np.zeros((80, 90, 3), np.uint16)
    wide[..., 2] = 200 * 257
    data = cv2.imencode(".png", wide)[1].tobytes()
    assert load_photo(data).bgr[40, 45].tolist() == [0, 0, 200]


def test_what_is_transparent_becomes_white() -> None:
    image = quarters().convert("RGBA")
    image.putalpha(Image.fromarray(np.repeat(np.repeat(np.array([[0, 255], [255, 0]], np.uint8), 60, 0), 80, 1)))
    assert corners(encoded(image, "PNG")) == [(255, 255, 255), GREEN, BLUE, (255, 255, 255)]


def test_cmyk_jpeg_of_a_print_shop_has_its_colours() -> None:
    data = encoded(quarters().convert("CMYK"), "JPEG", quality=95)
    assert near(corners(data), [RED, GREEN, BLUE, GREY], slack=12)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@given(share=st.floats(0.0, 0.98))
def test_a_file_cut_short_is_refused_and_not_filled_with_grey(kind: str, share: float) -> None:
    rng = np.random.default_rng(3)
    noise = Image.fromarray(rng.integers(0, 255, (90, 120, 3), dtype=np.uint8))
    data = encoded(noise, kind)
    with pytest.raises(BadPhoto) as refusal:
        load_photo(data[: int(len(data) * share)], "cut")
    assert "cut" in refusal.value.message
    assert refusal.value.remedy


def test_what_a_phone_appends_to_a_jpeg_does_no_harm() -> None:
    data = encoded(quarters(), "JPEG", quality=95) + b"\x00" * 500 + b"ftypmp42 a short film"
    assert near(corners(data), [RED, GREEN, BLUE, GREY])


def test_a_stray_byte_between_a_jpegs_segments_does_no_harm() -> None:
    data = encoded(quarters(), "JPEG", quality=95)
    at = data.index(b"\xff\xdb")
    assert near(corners(data[:at] + b"\0" + data[at:]), [RED, GREEN, BLUE, GREY])


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_no_number_leaves_the_others_as_they_are(odd: float) -> None:
    ramp = np.tile(np.linspace(0, 1, 256, dtype=np.float32), (100, 1))
    plain = load_photo(encoded(Image.fromarray(ramp), "TIFF")).bgr
    ramp[3, 100] = odd
    seen = load_photo(encoded(Image.fromarray(ramp), "TIFF")).bgr
    assert np.array_equal(seen[10:], plain[10:])


def test_floats_below_nothing_are_seen() -> None:
    ramp = np.tile(np.linspace(-1, 0, 256, dtype=np.float32), (100, 1))
    seen = load_photo(encoded(Image.fromarray(ramp), "TIFF")).bgr
    assert (int(seen[50, 10, 0]), int(seen[50, 245, 0])) == (10, 245)


@given(
    st.binary(max_size=300),
    st.sampled_from(
        [b"", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00\x10JFIF", b"\x89PNG\r\n\x1a\n", b"RIFF", b"\0\0\0 ftypheic"]
    ),
)
def test_any_bytes_are_refused_in_plain_words(rest: bytes, start: bytes) -> None:
    with pytest.raises(BadPhoto) as refusal:
        load_photo(start + rest, "some.jpg")
    assert refusal.value.message.startswith("some.jpg")
    assert refusal.value.exit_code == 4


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_jpeg_with_a_damaged_byte_never_crashes(place: int, value: int) -> None:
    data = bytearray(encoded(quarters(), "JPEG"))
    data[place % len(data)] = value
    try:
        assert load_photo(bytes(data)).bgr.ndim == 3
    except BadPhoto as refusal:
        assert refusal.message


@pytest.mark.parametrize("size", [(1, 1), (1, 4000), (4000, 1), (63, 63)])
def test_a_picture_too_small_for_a_board_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(BadPhoto, match="only"):
        load_photo(encoded(Image.new("RGB", size), "PNG"))


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_too_many_pixels_are_refused_by_the_header_alone(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo_module, "MAX_PIXELS_JPEG", 15_000)
    monkeypatch.setattr(photo_module, "MAX_PIXELS_OTHER", 15_000)
    with pytest.raises(BadPhoto, match="160 x 120"):
        load_photo(encoded(quarters(), kind))


def test_a_header_that_promises_a_giant_is_believed_and_refused() -> None:
    data = bytearray(encoded(quarters(), "JPEG"))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", 60_000, 60_000)
    with pytest.raises(BadPhoto, match="3600 megapixels"):
        load_photo(bytes(data))


@pytest.mark.parametrize(
    ("kind", "full", "shape"), [("JPEG", 15_000, (60, 80)), ("JPEG", 4_000, (30, 40)), ("PNG", 15_000, (60, 80))]
)
def test_large_pictures_are_reduced(
    kind: str, full: int, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_module, "FULL_PIXELS", full)
    monkeypatch.setattr(photo_module, "MIN_SIDE_PX", 16)
    assert load_photo(encoded(quarters(), kind)).bgr.shape[:2] == shape


def test_a_panorama_of_20000_pixels_is_read() -> None:
    bgr = load_photo(encoded(Image.new("RGB", (20_000, 500), RED), "JPEG")).bgr
    assert bgr.shape == (500, 20_000, 3)


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "text.jpg").write_text("this is a shopping list")
    for name, words in (
        ("none.jpg", "does not exist"),
        ("empty.jpg", "empty"),
        ("text.jpg", "not a picture"),
        ("", "folder"),
    ):
        with pytest.raises(BadPhoto, match=words) as refusal:
            load_photo(tmp_path / name)
        assert refusal.value.remedy


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_device_is_refused_unread() -> None:
    with pytest.raises(BadPhoto, match="is a device"):
        load_photo("/dev/zero")


def test_no_more_is_read_than_a_photo_can_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(encoded(quarters(), "PNG"))
    monkeypatch.setattr("ontour_cv.vision.photo.MAX_BYTES", path.stat().st_size)
    assert load_photo(path).bgr.shape == load_photo(path.read_bytes()).bgr.shape
    path.write_bytes(path.read_bytes() + b"0")
    with pytest.raises(BadPhoto, match="too large for a photo"):
        load_photo(path)


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
def test_a_pipe_is_read_as_far_as_a_photo_can_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = encoded(quarters(), "PNG")
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    for most, refused in ((len(picture), False), (len(picture) - 1, True)):
        monkeypatch.setattr("ontour_cv.vision.photo.MAX_BYTES", most)
        writer = threading.Thread(target=pipe.write_bytes, args=(picture,))
        writer.start()
        with pytest.raises(BadPhoto, match="too large") if refused else nullcontext():
            load_photo(pipe)
        writer.join()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions bind neither Windows nor root")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "locked.jpg"
    path.write_bytes(encoded(quarters(), "JPEG"))
    path.chmod(0)
    with pytest.raises(BadPhoto, match="may not be read"):
        load_photo(path)


def test_the_name_is_the_path_unless_given(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(encoded(quarters(), "PNG"))
    assert load_photo(path).name == str(path)
    assert load_photo(path, "Ann's board").name == "Ann's board"
