"""Compose small pictures of tables with cards, with every index annotated.

A scene is 256 x 256 px; it comes from decks' faces, a ground, foreign things and light, all from one random generator.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.training import grounds
from vision.training.faces import Face, Spot
from vision.training.light import MILD, Harsh, photographed

SIZE = 256
_Offset = Callable[[np.ndarray, np.ndarray], np.ndarray]
#: Visible share of an index's box from which it counts as visible, and up to which as hidden; between them nothing is
#: taught.
VISIBLE_FROM_SHARE = 0.9
HIDDEN_UP_TO_SHARE = 0.45


@dataclass(frozen=True, slots=True)
class IndexAnnotation:
    """An index in a scene: centre px, direction of its "up" (rad, 0 is up, clockwise), height px, part that shows."""

    x: float
    y: float
    angle: float
    height: float
    shown: float
    rank: str
    suit: str


@dataclass(frozen=True, slots=True, eq=False)
class SceneMaterial:
    """Material of which scenes are composed."""

    faces: list[Face]
    sheets: list[np.ndarray]
    pictures: list[np.ndarray]


def scene(
    rng: np.random.Generator, store: SceneMaterial, harsh: Harsh = MILD
) -> tuple[np.ndarray, list[IndexAnnotation]]:
    """Compose a 256 x 256 picture, bytes of a JPEG file (uint8), and its indices, those partly hidden too."""
    height = math.exp(rng.uniform(math.log(9.0), math.log(72.0)))
    if rng.random() < 0.45:  # the heights that most pictures have
        height = math.exp(rng.uniform(math.log(11.0), math.log(30.0)))
    picture = _ground(rng, store)
    owner = np.zeros((SIZE, SIZE), np.int16)
    tilt = _tilt(rng)
    placed: list[tuple[Face, np.ndarray, int]] = []
    number = 0
    if rng.random() < 0.35:
        number += 1
        paper = store.sheets[rng.integers(len(store.sheets))]
        lay_card(picture, owner, paper, tilt @ _pose(rng, paper.shape, math.exp(rng.uniform(-1.9, 0.1))), number, rng)
    for face, place in _cards(rng, store, height):
        number += 1
        matrix = tilt @ place
        if lay_card(picture, owner, face.texture, matrix, number, rng):
            placed.append((face, matrix, number))
    for _ in range(rng.integers(1, 3) if rng.random() < 0.3 else 0):
        _cover(picture, owner, rng, store, height)
    marks = [
        m for face, matrix, own in placed for spot in face.spots if (m := annotate_index(spot, matrix, owner, own))
    ]
    if rng.random() < 0.25:
        picture, marks = _bent(picture, marks, rng)
    return photographed(picture, rng, height, harsh), marks


def _ground(rng: np.random.Generator, store: SceneMaterial) -> np.ndarray:
    if store.pictures and rng.random() < 0.35:
        return grounds.photograph(rng, SIZE, store.pictures)
    return grounds.procedural(rng, SIZE)


def _tilt(rng: np.random.Generator) -> np.ndarray:
    """Draw a homography of the table about the picture's centre, for a tilted camera."""
    strong = 0.0018 if rng.random() < 0.6 else 0.0006
    a, b = rng.uniform(-strong, strong, 2)
    squeeze = rng.uniform(0.72, 1.0) if rng.random() < 0.6 else 1.0
    angle = rng.uniform(0, math.pi)
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    flat = turn.T @ np.diag([squeeze, 1.0, 1.0]) @ turn
    lean = np.array([[1, 0, 0], [0, 1, 0], [a, b, 1.0]])
    to, back = _shift(-SIZE / 2, -SIZE / 2), _shift(SIZE / 2, SIZE / 2)
    view: np.ndarray = back @ lean @ flat @ to
    return view


def _shift(x: float, y: float) -> np.ndarray:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def _similar(scale: float, angle: float, to: tuple[float, float], about: tuple[float, float]) -> np.ndarray:
    c, s = scale * math.cos(angle), scale * math.sin(angle)
    matrix: np.ndarray = _shift(*to) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ _shift(-about[0], -about[1])
    return matrix


def _pose(rng: np.random.Generator, shape: tuple[int, ...], scale: float) -> np.ndarray:
    to = (rng.uniform(0, SIZE), rng.uniform(0, SIZE))
    return _similar(scale, rng.uniform(0, 2 * math.pi), to, (shape[1] / 2, shape[0] / 2))


def _cards(rng: np.random.Generator, store: SceneMaterial, height: float) -> list[tuple[Face, np.ndarray]]:
    """Draw faces and where they lie; the first shows an index near the middle, unless none lies there at all."""
    if rng.random() < 0.08:
        return []
    first = store.faces[rng.integers(len(store.faces))]
    same = [f for f in store.faces if f.name == first.name]
    scale = height / first.spots[0].height
    angle = rng.uniform(0, 2 * math.pi)
    kind = rng.integers(4)
    count = 1 if kind == 0 else int(rng.integers(2, 8))
    faces = [first] + [same[rng.integers(len(same))] for _ in range(count - 1)]
    spot = first.spots[rng.integers(len(first.spots))]
    place = (rng.uniform(0.15, 0.85) * SIZE, rng.uniform(0.15, 0.85) * SIZE)
    base = _similar(scale, angle, place, (spot.x, spot.y))
    wide, tall = first.texture.shape[1], first.texture.shape[0]
    cards = [(first, base)]
    for n, face in enumerate(faces[1:], 1):
        own = scale * face_scale(first, face) * rng.uniform(0.96, 1.04)
        if kind == 1:  # a fan in a hand or a row of a trick
            step = rng.uniform(0.08, 0.3) * wide
            about = (wide / 2, tall * 1.2)
            move = (
                _shift(*about)
                @ _similar(1, n * rng.uniform(0.05, 0.25), (n * step * 0.3, 0), (0, 0))
                @ _shift(-about[0], -about[1])
            )
            cards.append((face, base @ move @ np.diag([own / scale, own / scale, 1])))
        elif kind == 2:  # thrown together
            to = (place[0] + rng.normal(0, 1) * wide * scale * 0.7, place[1] + rng.normal(0, 1) * wide * scale * 0.7)
            cards.append((face, _similar(own, rng.uniform(0, 2 * math.pi), to, (wide / 2, tall / 2))))
        else:  # side by side
            column, row = (n % 3) - 1, n // 3 - 1
            gap = (1.0 + rng.uniform(0.0, 0.4)) * wide, (1.0 + rng.uniform(0, 0.3)) * tall
            turn = rng.normal(0, 0.06) + (math.pi if rng.random() < 0.3 else 0)
            middle = base @ np.array([wide / 2 + column * gap[0], tall / 2 + row * gap[1], 1])
            cards.append((face, _similar(own, angle + turn, (middle[0], middle[1]), (wide / 2, tall / 2))))
    if rng.random() < 0.5:
        cards.reverse()
    return cards


def face_scale(one: Face, other: Face) -> float:
    """Compute the scale of the other's texture with which both cards are equally high."""
    scale: float = one.texture.shape[0] / other.texture.shape[0]
    return scale


def lay_card(
    picture: np.ndarray,
    owner: np.ndarray,
    texture: np.ndarray,
    matrix: np.ndarray,
    number: int,
    rng: np.random.Generator,
) -> bool:
    """Draw a card over what is there; False if none of it is in the picture."""
    h, w = texture.shape[:2]
    corners = _map(matrix, np.array([(0, 0), (w, 0), (w, h), (0, h)], float))
    if corners is None:
        return False
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, SIZE)
    if (high - low < 3).any():
        return False
    size = math.sqrt(abs(cv2.contourArea(corners.astype(np.float32))) / (w * h))
    scale = 1.0
    while size / scale < 0.5:  # halve the texture: a warp alone would alias
        texture = cv2.resize(texture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        scale /= 2
    local = _shift(-low[0], -low[1]) @ matrix @ np.diag([w / texture.shape[1], h / texture.shape[0], 1])
    part = cv2.warpPerspective(texture, local, (int(high[0] - low[0]), int(high[1] - low[1])), flags=cv2.INTER_LINEAR)
    alpha = part[..., 3:].astype(np.float32) / 255
    region = picture[low[1] : high[1], low[0] : high[0]]
    if rng.random() < 0.5:  # its shadow
        soft = rng.uniform(0.5, 3.0)
        mask = cv2.GaussianBlur(alpha[..., 0], (0, 0), soft)
        dx, dy = rng.uniform(-3, 3, 2)
        mask = cv2.warpAffine(mask, np.array([[1, 0, dx], [0, 1, dy]], np.float32), (mask.shape[1], mask.shape[0]))
        region *= 1 - rng.uniform(0.1, 0.55) * mask[..., None]
    tone = rng.uniform(0.93, 1.04) + rng.normal(0, 0.01, 3)
    region += (part[..., :3] * tone.astype(np.float32) - region) * alpha
    owner[low[1] : high[1], low[0] : high[0]][alpha[..., 0] > 0.5] = number
    return True


def _map(matrix: np.ndarray, points: np.ndarray) -> np.ndarray | None:
    whole = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    if (whole[:, 2] < 0.2).any():
        return None
    projected: np.ndarray = whole[:, :2] / whole[:, 2:]
    return projected


def annotate_index(spot: Spot, matrix: np.ndarray, owner: np.ndarray, number: int) -> IndexAnnotation | None:
    sign = -1 if spot.flipped else 1
    reach = spot.height / 2 * sign
    half = np.array([(spot.x, spot.y - reach), (spot.x, spot.y + reach), (spot.x, spot.y)])
    ends = _map(matrix, half)
    steps = np.linspace(-0.5, 0.5, 7)
    grid = np.array([(spot.x + u * spot.width, spot.y + v * spot.height) for u in steps for v in steps])
    on = _map(matrix, grid)
    if ends is None or on is None or not (-20 < ends[2, 0] < SIZE + 20 and -20 < ends[2, 1] < SIZE + 20):
        return None
    up = ends[0] - ends[1]
    at = np.floor(on).astype(int)
    inside = ((at >= 0) & (at < SIZE)).all(1)
    own = np.zeros(len(at), bool)
    own[inside] = owner[at[inside, 1], at[inside, 0]] == number
    centre = (ends[0] + ends[1]) / 2
    return IndexAnnotation(
        float(centre[0]), float(centre[1]), math.atan2(up[0], -up[1]), float(np.hypot(*up)), float(own.mean()),
        spot.rank, spot.suit,
    )  # fmt: skip


def _cover(
    picture: np.ndarray, owner: np.ndarray, rng: np.random.Generator, store: SceneMaterial, height: float
) -> None:
    """Draw a finger, a tape or a thing over it all."""
    mask = np.zeros((SIZE, SIZE), np.uint8)
    kind = rng.integers(3)
    if kind == 0:  # fingers
        x, y = rng.uniform(0, SIZE, 2)
        angle, thick = rng.uniform(0, 2 * math.pi), int(max(4, height * rng.uniform(0.5, 1.6)))
        for k in range(int(rng.integers(1, 5))):
            turn = angle + k * 0.12
            start = (int(x + k * thick * math.sin(angle)), int(y - k * thick * math.cos(angle)))
            cv2.line(
                mask, start, (int(x + 400 * math.cos(turn)), int(y + 400 * math.sin(turn))), 255, thick, cv2.LINE_AA
            )
        skin = rng.uniform(0.35, 1.0) * np.array([rng.uniform(110, 160), rng.uniform(140, 180), rng.uniform(200, 240)])
        fill = skin + 12 * grounds.noise(rng, SIZE, 12)[..., None]
        edge = cv2.GaussianBlur(mask, (0, 0), max(1.0, thick / 5)).astype(np.float32)[..., None] / 255
        fill = fill * (0.55 + 0.45 * edge)
    elif kind == 1:  # tape, pens, cables
        for _ in range(int(rng.integers(1, 4))):
            points = rng.uniform(-40, SIZE + 40, (2, 2)).astype(int)
            cv2.line(
                mask, tuple(map(int, points[0])), tuple(map(int, points[1])), 255, int(rng.integers(2, 14)), cv2.LINE_AA
            )
        fill = np.empty((SIZE, SIZE, 3), np.float32)
        fill[:] = rng.uniform(0, 255, 3) if rng.random() < 0.5 else rng.uniform(5, 40)
    else:
        angles = np.sort(rng.uniform(0, 2 * math.pi, int(rng.integers(4, 9))))
        reach = rng.uniform(15, 70)
        centre = rng.uniform(0, SIZE, 2)
        points = centre + reach * rng.uniform(0.5, 1.2, (len(angles), 1)) * np.column_stack(
            [np.cos(angles), np.sin(angles)]
        )
        cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
        fill = _ground(rng, store)
    alpha = mask[..., None].astype(np.float32) / 255
    picture += (fill.astype(np.float32) - picture) * alpha
    owner[mask > 100] = -1


def _bent(
    picture: np.ndarray, marks: list[IndexAnnotation], rng: np.random.Generator
) -> tuple[np.ndarray, list[IndexAnnotation]]:
    """Warp all of it a little, as bent cards and lenses do."""
    wave = rng.uniform(50, 160)
    turn, phase = rng.uniform(0, 2 * math.pi, 2)
    strong = rng.uniform(0.01, 0.035) * wave
    direction = np.array([math.cos(turn), math.sin(turn)])
    across = rng.uniform(0, 2 * math.pi)
    push = np.array([math.cos(across), math.sin(across)]) * strong

    def offset(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        waves: np.ndarray = np.sin((x * direction[0] + y * direction[1]) * 2 * math.pi / wave + phase)
        return waves

    y, x = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    d = offset(x, y)
    bent = cv2.remap(
        picture, (x + push[0] * d).astype(np.float32), (y + push[1] * d).astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )  # fmt: skip
    moved = []
    for m in marks:
        up = np.array([math.sin(m.angle), -math.cos(m.angle)]) * m.height / 2
        middle = np.array([m.x, m.y])
        ends = np.stack([middle + up, middle - up])
        new = ends - push * offset(*_last(ends, push, offset)).reshape(-1, 1)  # p' + push * d(p') = p
        up = new[0] - new[1]
        middle = new.mean(0)
        moved.append(
            IndexAnnotation(
                float(middle[0]),
                float(middle[1]),
                math.atan2(up[0], -up[1]),
                float(np.hypot(*up)),
                m.shown,
                m.rank,
                m.suit,
            )
        )
    return bent, moved


def _last(ends: np.ndarray, push: np.ndarray, offset: _Offset) -> tuple[np.ndarray, np.ndarray]:
    at = ends.copy()
    for _ in range(3):
        at = ends - push * offset(at[:, 0], at[:, 1]).reshape(-1, 1)
    return at[:, 0], at[:, 1]
