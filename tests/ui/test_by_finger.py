"""A whole game at a real table, by touches alone: what a kiosk without a camera must be able to do."""

from typing import Any

import pytest


def panel_key(hand: Any, seat: int, words: str) -> Any:
    panel = hand.app.screen("play")._panels[seat]
    return next(key for key in panel.ids.key_box.children if words in key.text)


class Player:
    """Does with a finger what an event says."""

    def __init__(self, hand: Any) -> None:
        self.hand, self.stage, self.app = hand, hand.stage, hand.app

    def do(self, event: dict[str, Any]) -> None:
        getattr(self, event["event"])(event)

    def release(self, event: dict[str, Any]) -> None:
        from kiosk.ui.ruling import HoldKey

        self.hand.touch("Mehr")
        self.hand.touch("Schiedsrichter")
        self.stage.touch(self.stage.find(HoldKey), seconds=2.6)
        self.hand.touch("Runde freigeben")

    def deal(self, event: dict[str, Any]) -> None:
        self.stage.touch(self.stage.key("Geben" if self.app.view.result is None else "Nächstes Spiel"))

    def call(self, event: dict[str, Any]) -> None:
        self.stage.touch(panel_key(self.hand, event["seat"], self.app.say(event["call"])))

    def declare(self, event: dict[str, Any]) -> None:
        self.stage.touch(panel_key(self.hand, event["seat"], "Spiel nennen"))
        self.stage.step(2)
        words = self.app.say(event["game"])
        if "suit" in event:
            words = self.app.faces.suit(event["suit"]) + " " + words
        self.stage.touch(self.stage.key(words))

    def announce(self, event: dict[str, Any]) -> None:
        seat, call, side = event["seat"], self.app.say(event["call"]), event.get("side")
        panel = self.app.screen("play")._panels[seat]
        if any(f"[b]{call}[/b]" in key.text for key in panel.ids.key_box.children) and side is None:
            key = panel_key(self.hand, seat, f"[b]{call}[/b]")
            self.stage.touch(key)
            self.stage.touch(key)
            return
        self.stage.touch(panel_key(self.hand, seat, "Absagen"))
        self.stage.step(2)
        keys = [key for key in self.app.sheet.walk() if f"[b]{call}[/b]" in getattr(key, "text", "")]
        tone = {"re": "ivory", "kontra": "blue", None: "green"}[side]
        self.stage.touch(next(key for key in keys if len(keys) == 1 or key.tone == tone))

    def card(self, event: dict[str, Any]) -> None:
        from kiosk.ui.cards import CardKey

        self.stage.touch(self.app.screen("play")._faces[event["seat"]])
        self.stage.step(2)
        self.stage.touch(self.stage.find(CardKey, card=event["card"]))


@pytest.mark.parametrize("seed", [9], ids=["a solo with an announcement"])
def test_a_game_by_touches_alone(hand: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from kiosk.demo.play import simulate
    from kiosk.errors import Refused
    from kiosk.table.log import MemoryLog
    from kiosk.table.table import Table
    from vision.reports import Blind

    events = list(simulate("eppstein", seed, 1))
    table = Table(MemoryLog(), opening=events[0], now=0.0)
    table.observe(Blind(at=0.0, why="camera"), 0.0)

    def send(request: dict[str, Any]) -> None:
        try:
            table.request(request, 1.0)
        except Refused as refused:
            pytest.fail(f"{request} was refused: {refused}")
        hand.app.show(table.view(1.0))

    monkeypatch.setattr(hand.app, "_send", send)
    hand.app.show(table.view(1.0))
    hand.stage.step(3)
    player = Player(hand)
    for event in events[1:]:
        player.do(event)
        hand.stage.step(5)  # layouts settle over some frames
        made = {key: value for key, value in table.events[-1].items() if key != "at"}
        assert made == event
    assert table.view(1.0).rows and table.view(1.0).rows[0].points >= 1
    assert hand.app.screen("play").ids.middle.right_key.startswith("Nächstes Spiel")
