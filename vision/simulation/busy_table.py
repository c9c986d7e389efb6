"""Simulate a camera over a table where people do more than lay cards in turn and take tricks in."""

import math
from dataclasses import replace

from vision.simulation import acts, deeds
from vision.simulation.art import load_art
from vision.simulation.artwork import BAVARIAN_MM
from vision.simulation.film import SimCamera
from vision.simulation.geometry import CardPose
from vision.simulation.habits import edge_pose, pile_pose, towards_player
from vision.simulation.lights import LIGHTS
from vision.simulation.scene import readable
from vision.simulation.tabletop import PlacedCard
from vision.simulation.things import Thing, thing

#: What a card of another deck is called, as a thing.
FOREIGN = "foreign card"
#: Packets that a hand is dealt in.
PACKETS = 3
#: mm between two cards of a hand laid open in a row, and of a trick that is looked at again.
ROW_MM, FAN_MM = 22.0, 24.0


class BusyTable(SimCamera):
    """``SimCamera`` with all that people do besides; the same seed and the same calls give the same frames."""

    _last: tuple[PlacedCard, ...] = ()  # the trick that was taken in last
    _hangs = (0.0, 0.0, 0.0)  # the camera: px and rad from how it hung at first

    # --- cards laid otherwise ---------------------------------------------------------------------------------------

    def throw(self, label: str, seat: int, at: float | None = None, to_rim: int = 0) -> deeds.Throw:
        """Let a seat throw a card from far: it flies, slides, turns and stays where it stops.

        :param to_rim: 1 lets it stop at the rim of the middle, half outside.
        """
        card = PlacedCard(label, self._thrown_pose(seat, bool(to_rim)))
        x, y = self.layout.seat_places[seat]
        dx, dy = towards_player(self.layout, seat)
        start = self._start(at)
        spin = float(self._rng.choice((-1, 1)) * self._rng.uniform(0.3, 1.0)) * deeds.SPIN_RAD
        end = start + deeds.FLICK_S + max(deeds.THROWN_S, acts.LEAVE_S)
        act = deeds.Throw(start=start, end=end, seat=seat, card=card, release=(x + 1.1 * dx, y + 1.1 * dy), spin=spin)
        self._trick.append(card)
        self._acts.append(act)
        return act

    def _thrown_pose(self, seat: int, to_rim: bool) -> CardPose:
        taken = [card.pose for card in self._trick]
        a, b = self.layout.middle
        facing = self.layout.seat_angle(seat)
        for _ in range(80):
            away = self._rng.uniform(0.92, 1.02) if to_rim else self._rng.uniform(0.0, 0.75)
            bearing = facing + self._rng.normal(0, 0.5 if to_rim else 0.9)
            x, y = away * a * math.cos(bearing), away * b * math.sin(bearing)
            pose = CardPose(float(x), float(y), float(self._rng.uniform(0, 2 * math.pi)))
            if self.renderer.shows(pose) and readable([*taken, pose], self.art.size_mm):
                return pose
        x, y = self.layout.seat_places[seat]
        return CardPose(x, y, facing)

    def turn_up(self, label: str, seat: int, at: float | None = None) -> deeds.Arrange:
        """Let a seat turn a card of the trick over that lies face down.

        :raises ValueError: no such card lies there.
        """
        down = next((card for card in self._trick if card.label == label and card.face_down), None)
        if down is None:
            raise ValueError(f"no {label!r} lies face down in the middle")
        return self._arrange(seat, [(down, down.pose, False)], at)

    def straighten(self, seat: int, at: float | None = None) -> deeds.Arrange:
        """Let a seat push cards of the trick straight: towards their seats' places, a little over each other or not.

        :raises ValueError: no card lies there.
        """
        if not self._trick:
            raise ValueError("there is no card to push")
        count = int(self._rng.integers(1, min(2, len(self._trick)) + 1))
        first = int(self._rng.integers(len(self._trick) - count + 1))
        changes: list[deeds.Change] = []
        for card in self._trick[first : first + count]:
            turn = math.remainder(-card.pose.angle, math.pi / 2)
            for reach in (22.0, 14.0, 8.0, 0.0):
                dx, dy = self._rng.uniform(-reach, reach, 2)
                goal = CardPose(card.pose.x + float(dx), card.pose.y + float(dy), card.pose.angle + 0.8 * turn)
                moved = {id(one): pose for one, pose, _ in changes} | {id(card): goal}
                if readable([moved.get(id(one), one.pose) for one in self._trick], self.art.size_mm):
                    changes.append((card, goal, card.face_down))
                    break
        return self._arrange(seat, changes or [(self._trick[-1], self._trick[-1].pose, False)], at)

    def _arrange(self, seat: int, changes: list[deeds.Change], at: float | None) -> deeds.Arrange:
        def told(was: PlacedCard, lies: PlacedCard) -> None:
            self._trick = [lies if card is was else card for card in self._trick]

        start = self._start(at)
        end = start + acts.COME_S + deeds.PUSHED_S + acts.LEAVE_S
        act = deeds.Arrange(start=start, end=end, seat=seat, changes=changes, told=told)
        self._acts.append(act)
        return act

    # --- tricks and hands -------------------------------------------------------------------------------------------

    def collect(self, seat: int, at: float | None = None) -> acts.Take:
        """Let a seat take the trick in, and remember what it was."""
        self._last = tuple(self._trick)
        return super().collect(seat, at)

    def pass_trick(self, seat: int, to: int, at: float | None = None) -> acts.Take:
        """Let a seat give the trick that it took in last to another one.

        :raises ValueError: it has none.
        """
        if not self._piles[seat]:
            raise ValueError(f"seat {seat} has no trick")
        top = self._piles[seat].pop()
        target = pile_pose(self.layout, to, len(self._piles[to]), self._rng)
        lays = replace(top, pose=target)
        self._piles[to].append(lays)
        return self._take(seat, [top], target, lays, at)

    def look_back(self, seat: int, seconds: float = 2.0, in_the_middle: int = 0, at: float | None = None) -> deeds.Show:
        """Let a seat look at the trick that was taken in last: it is laid open on its pile, or in the middle.

        :raises ValueError: there is none.
        """
        if not self._piles[seat]:
            raise ValueError(f"seat {seat} has no trick to look at")
        pile = self._piles[seat][-1]
        x, y = (0.0, 0.0) if in_the_middle else (pile.pose.x, pile.pose.y)
        cards = self._row([card.label for card in self._last], (x, y), seat, FAN_MM)
        return self._show(seat, cards, [pile], seconds, (x, y), at)

    def open_hand(self, seat: int, labels: str, at: float | None = None) -> deeds.Show:
        """Let a seat lay its cards open in a row; ``labels`` with blanks between them. They lie until ``clear``."""
        x, y = self.layout.seat_places[seat]
        cards = self._row(labels.split(), (0.9 * x, 0.9 * y), seat, ROW_MM)
        self._piles[seat] += cards  # taken off the mat with the tricks
        return self._show(seat, cards, [], acts.COME_S, (x, y), at, stays=True)

    def _row(self, labels: list[str], middle: deeds.Place, seat: int, step: float) -> list[PlacedCard]:
        facing = self.layout.seat_angle(seat) - math.pi / 2
        along = (math.cos(facing), math.sin(facing))
        places = [(n - (len(labels) - 1) / 2) * step for n in range(len(labels))]
        return [
            PlacedCard(
                label,
                CardPose(middle[0] + d * along[0], middle[1] + d * along[1], facing + float(self._rng.normal(0, 0.04))),
            )
            for label, d in zip(labels, places, strict=True)
        ]

    def _show(
        self,
        seat: int,
        cards: list[PlacedCard],
        instead: list[PlacedCard],
        seconds: float,
        grip: deeds.Place,
        at: float | None,
        stays: bool = False,
    ) -> deeds.Show:
        start = self._start(at)
        end = start + acts.COME_S + seconds + acts.LEAVE_S
        act = deeds.Show(start=start, end=end, seat=seat, cards=cards, instead=instead, grip=grip, stays=stays)
        self._acts.append(act)
        return act

    def deal(self, dealer: int) -> None:
        """Let somebody deal: packets slide across the mat, and each player takes his own up."""
        x, y = self.layout.seat_places[dealer]
        dx, dy = towards_player(self.layout, dealer)
        lying = {seat: list[PlacedCard]() for seat in self.layout.seat_places if seat != dealer}
        for _ in range(PACKETS):
            for seat, packets in lying.items():
                pose = edge_pose(self.layout, seat, self._rng)
                card = PlacedCard(next(iter(self.art.faces)), pose, face_down=True)
                packets.append(card)
                start = self.free_at
                end = start + deeds.DEALT_S + 0.1
                act = deeds.DealOut(start=start, end=end, seat=dealer, card=card, release=(x + dx, y + dy))
                self._acts.append(act)
        together = self.free_at + acts.COME_S
        for seat, packets in lying.items():
            self._take(seat, packets, None, None, together)

    # --- who sits there, and what else is there ---------------------------------------------------------------------

    def lean(self, seat: int, seconds: float = 1.5, far: float = 0.8, at: float | None = None) -> deeds.Lean:
        """Let somebody lean over the table; ``far``: where his head is, 0 over the middle, 1 over the sheet's edge."""
        angle = self.layout.seat_angle(seat)
        width, height = self.layout.size_mm
        aim = (far * width / 2 * math.cos(angle), far * height / 2 * math.sin(angle))
        start = self._start(at)
        act = deeds.Lean(start=start, end=start + seconds + acts.COME_S + acts.LEAVE_S, seat=seat, aim=aim)
        self._acts.append(act)
        return act

    def reach_across(self, seat: int, seconds: float = 1.5, at: float | None = None) -> acts.Hover:
        """Let somebody reach right across the table, his sleeve over the mat, for a glass."""
        x, y = self.layout.seat_places[seat]
        start = self._start(at)
        act = acts.Hover(start=start, end=start + seconds, seat=seat, aim=(-1.9 * x, -1.9 * y))
        self._acts.append(act)
        return act

    def dress(self, seat: int, as_: str) -> None:
        """Give a seat other hands, a name of ``persons.DRESSES``."""
        self.renderer.dress(seat, as_)

    def put_card(self, seat: int, at: float | None = None) -> acts.Lay:
        """Let a seat put a card of another deck on the table, at the sheet's edge."""
        art = load_art("stichwart" if self.art.size_mm == BAVARIAN_MM else "stichwart-bavarian")
        label = str(self._rng.choice(list(art.faces)))
        return self._put(
            Thing(FOREIGN, art.faces[label], art.picture_mm), seat, edge_pose(self.layout, seat, self._rng), at
        )

    def cover(self, seat: int, at: float | None = None) -> acts.Lay:
        """Let a seat put the score sheet down so that a part of the card laid last lies below it.

        :raises ValueError: no card lies there.
        """
        if not self._trick:
            raise ValueError("there is no card to cover")
        sheet = thing("score sheet", int(self._rng.integers(1000)))
        below = self._trick[-1].pose
        dx, dy = towards_player(self.layout, seat)
        hidden = self._rng.uniform(35, 75)  # mm of the card that the sheet may hide
        away = (sheet.size_mm[1] / 2 + 0.5 * max(self.art.size_mm) - hidden) / math.hypot(dx, dy)
        facing = self.layout.seat_angle(seat) - math.pi / 2
        pose = CardPose(below.x + away * dx, below.y + away * dy, facing + float(self._rng.normal(0, 0.1)))
        return self._put(sheet, seat, pose, at)

    def _put(self, what: Thing, seat: int, pose: CardPose, at: float | None) -> acts.Lay:
        start, lying = self._start(at), PlacedCard(what.name, pose, thing=what)
        dx, dy = towards_player(self.layout, seat)
        self._things.append(lying)
        grip = (pose.x + 0.2 * dx, pose.y + 0.2 * dy)
        act = acts.Lay(start=start, end=acts.end_of_laying(start), seat=seat, card=lying, grip=grip)
        self._acts.append(act)
        return act

    # --- camera and light -------------------------------------------------------------------------------------------

    def knock(self, dx: float, dy: float, turn: float, at: float | None = None) -> deeds.Knock:
        """Knock the camera: it swings, and hangs by so many px and rad otherwise than before."""
        start = self._start(at)
        after = (self._hangs[0] + dx, self._hangs[1] + dy, self._hangs[2] + turn)
        act = deeds.Knock(start=start, end=start + deeds.SWINGS_S, before=self._hangs, after=after)
        self._hangs = after
        self._acts.append(act)
        return act

    def relight(self, light: str, at: float | None = None) -> deeds.Relight:
        """Light another lamp, a name of ``lights.LIGHTS`` that does not change by itself; it stays.

        :raises KeyError: there is no such light.
        """
        start = self._start(at)
        act = deeds.Relight(start=start, end=start + 0.1, light=LIGHTS[light], shine=self.renderer.relight)
        self._acts.append(act)
        return act
