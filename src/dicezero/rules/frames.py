"""What a network sees as a picture for people, and pictures as PNG and SVG."""

from __future__ import annotations

import base64
import struct
import zlib
from html import escape

import numpy as np
import numpy.typing as npt

from dicezero.rules.spaces import Frame
from dicezero.rules.spec import ObservationSpec

Picture = npt.NDArray[np.uint8]  # [H, W, 3]

_SMALLEST = 160  # pixels of the longer side: less is drawn larger, each point as a square
# Of planes: what is seen where several are set is the last of them. Colours that most people can distinguish.
_COLOURS = np.array(
    [
        (230, 159, 0),
        (86, 180, 233),
        (0, 158, 115),
        (240, 228, 66),
        (0, 114, 178),
        (213, 94, 0),
        (204, 121, 167),
        (240, 240, 240),
        (150, 150, 150),
        (150, 90, 40),
    ],
    np.float32,
)


def frame_picture(seen: ObservationSpec, frame: Frame) -> Picture | None:
    """A frame (channels, height, width) as a picture; None where it is flat."""
    if seen.layout == "flat" or len(seen.shape) != 3:
        return None
    strength = frame.astype(np.float32) / np.float32(255 if seen.dtype == "uint8" else 1)
    if seen.layout == "image" and seen.shape[0] in (1, 3):
        pixels = np.clip(np.moveaxis(strength, 0, -1), 0.0, 1.0) * np.float32(255)
        return enlarged(np.broadcast_to(pixels, (*seen.shape[1:], 3)).astype(np.uint8))
    picture = np.zeros((*seen.shape[1:], 3), np.float32)
    for channel, plane in enumerate(strength):
        share = np.clip(plane, 0.0, 1.0)[..., None]
        picture = picture * (1 - share) + _COLOURS[channel % len(_COLOURS)] * share
    return enlarged(picture.astype(np.uint8))


def enlarged(picture: Picture) -> Picture:
    """The picture with every point as a square of so many pixels that it can be seen."""
    times = -(-_SMALLEST // max(picture.shape[:2]))
    return np.ascontiguousarray(picture.repeat(times, axis=0).repeat(times, axis=1))


def png(picture: Picture) -> bytes:
    """The picture as a PNG file."""
    height, width, _ = picture.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each with its filter in front: none
    rows[:, 1:] = picture.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def picture_svg(picture: Picture, caption: str) -> str:
    """The picture as one SVG element that needs nothing from outside."""
    height, width, _ = picture.shape
    data = base64.b64encode(png(picture)).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(caption, quote=True)}">'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/></svg>'
    )
