"""A die with pips, at rest or rolling."""

from __future__ import annotations

Point = tuple[float, float]

_PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_TUMBLES = 4  # faces seen before the die lies


def die(centre: Point, size: float, roll: int, *, sides: int, player: int, rolling: bool) -> str:
    """The die around ``centre``; ``roll`` 0 is one that has not been thrown."""
    x, y = centre
    half = size / 2
    body = (
        f'<rect class="cube" x="{x - half:.1f}" y="{y - half:.1f}" width="{size:g}" height="{size:g}" '
        f'rx="{size * 0.2:.1f}"/>'
    )
    faces = ""
    if rolling:
        for tumble in range(_TUMBLES):
            seen = (roll + 1 + 2 * tumble) % sides + 1
            faces += f'<g class="face passing" style="--i:{tumble}">{_face(centre, size, seen, sides)}</g>'
    if roll:
        faces += f'<g class="face last">{_face(centre, size, roll, sides)}</g>'
    state = "rolling" if rolling else "resting" if roll else "waiting"
    return (
        f'<g class="die {state} p{player}" style="transform-origin:{x:.1f}px {y:.1f}px" '
        f'data-roll="{roll}" aria-hidden="true">{body}{faces}</g>'
    )


def _face(centre: Point, size: float, value: int, sides: int) -> str:
    """Pips as far as a cube has them; a die with more sides shows numbers."""
    if sides > len(_PIPS):
        x, y = centre[0], centre[1] + size * 0.19
        return f'<text class="number" x="{x:.1f}" y="{y:.1f}" font-size="{size * 0.52:.0f}">{value}</text>'
    step, radius = size * 0.26, size * 0.088
    spots = [(centre[0] + step * dx, centre[1] + step * dy) for dx, dy in _PIPS[value]]
    return "".join(f'<circle class="pip" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>' for x, y in spots)
