"""Whole games at a real table, by touches alone: what a kiosk without a camera must be able to do, with every book."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.values import FinishGame, Request

pytestmark = pytest.mark.slow

Event = dict[str, Any]
NAMES = ["Anna", "Bernd", "Cem", "Dora", "Emil"]


def panel_key(hand: Any, seat: int, words: str) -> Any:
    panel = hand.app.screen("play").panels[seat]
    found = [key for key in panel.ids.key_box.children if words in key.text]
    assert len(found) == 1, (words, [key.text for key in panel.ids.key_box.children])
    return found[0]


class Player:
    """Does with a finger what an event says, and checks that the table noted just that."""

    def __init__(self, hand: Any, table: Any) -> None:
        self.hand, self.stage, self.app, self.table = hand, hand.stage, hand.app, table

    @property
    def view(self) -> Any:
        return self.table.view(1.0)

    @property
    def game(self) -> Any:
        return self.table.round.game

    @property
    def play(self) -> Any:
        return self.app.screen("play")

    def do(self, event: Event) -> None:
        getattr(self, event["event"])(event)
        self.stage.step(5)  # layouts settle over some frames
        made = {key: value for key, value in list(map(encode, self.table.events))[-1].items() if key != "at"}
        assert made == event

    def referee(self) -> None:
        from kiosk.ui.parts.hold import HoldKey

        self.hand.touch("Mehr")
        self.stage.touch(next(key for key in self.app.sheets.current.walk() if self._says(key, "Schiedsrichter")))
        self.stage.touch(next(key for key in self.app.sheets.current.walk() if type(key) is HoldKey), seconds=2.2)

    @staticmethod
    def _says(key: Any, words: str) -> bool:
        return getattr(key, "text", "") == words

    def release(self, event: Event) -> None:
        self.referee()
        self.hand.hold("Runde freigeben")
        self.hand.all_agree()

    def leave(self, event: Event) -> None:
        self.referee()
        name = NAMES[event["seat"] - 1]
        self.hand.hold(f"von {name} erlauben" if event["granted"] else "Nicht erlauben")
        self.hand.all_agree()

    def deal(self, event: Event) -> None:
        self.stage.touch(self.stage.key("Geben" if self.app.view.result is None else "Nächstes Spiel"))

    def call(self, event: Event) -> None:
        key = panel_key(self.hand, event["seat"], f"[b]{self.app.say(event['call'])}[/b]")
        (self.stage.hold if self.game.book.classes else self.stage.touch)(key)  # what binds is held

    def bid(self, event: Event) -> None:
        if event["class"] is None:
            self.stage.hold(panel_key(self.hand, event["seat"], "kein höheres"))
            return
        seat = self.view.seats[event["seat"] - 1]
        bids = self.view.phase == "bidding" or any(seat.bids)
        # who alone wants to play names a class that needs leave
        self.stage.touch(panel_key(self.hand, event["seat"], "Bieten" if bids else "Spiel ansagen"))
        self.stage.step(2)
        form = next((game for game in seat.games if game["game"] == event["class"]), {})
        self.choose(event["seat"], ("bid_as", event["class"]) if bids else ("declare_as", tuple(form.items())))

    def choose(self, seat: int, meaning: tuple[Any, ...]) -> None:
        """Hold a choice that is unfolded in a seat's area, on whichever page it stands."""
        unfolded = self.play._unfolded[seat].content
        for _ in range(8):
            found = [key for key in unfolded.ids.choices.children if key.meaning == meaning]
            if found:
                self.stage.hold(found[0])
                return
            self.stage.touch(next(key for key in unfolded.ids.choices.children if key.meaning == ("page",)))
        raise AssertionError(f"{meaning} is not offered: {[key.meaning for key in unfolded.ids.choices.children]}")

    def declare(self, event: Event) -> None:
        games = self.view.seats[event["seat"] - 1].games
        several = len({game["game"] for game in games}) > 1 or self.view.seats[event["seat"] - 1].turn
        name = "Spiel ansagen" if several else self.app.say(event["game"])
        name = "Ich spiele" if event.get("ahead") else name
        self.stage.touch(panel_key(self.hand, event["seat"], name))
        self.stage.step(2)
        form = next(game for game in games if {"event": "declare", "seat": event["seat"], **game} == event)
        self.choose(event["seat"], ("declare_as", tuple(form.items())))

    def announce(self, event: Event) -> None:
        seat, call, side = event["seat"], self.app.say(event["call"]), event.get("side")
        panel = self.play.panels[seat]
        if any(f"[b]{call}[/b]" in key.text for key in panel.ids.key_box.children) and side is None:
            self.stage.hold(panel_key(self.hand, seat, f"[b]{call}[/b]"))
            return
        self.stage.touch(panel_key(self.hand, seat, "Absagen"))
        self.stage.step(2)
        self.choose(seat, ("announce", (event["call"], side)))

    def card(self, event: Event) -> None:
        from kiosk.ui.parts.cards import CardKey

        self.stage.touch(self.play.card_faces[event["seat"]])
        self.stage.step(2)
        if event.get("down"):
            self.hand.touch("Verdeckt")
        else:
            self.stage.touch(self.stage.find(CardKey, card=event["card"]))

    def retract(self, event: Event) -> None:
        self.stage.touch(next(face for face in self.play.card_faces.values() if face.card == event["card"]))
        self.stage.step(2)
        self.hand.touch("Zurückgenommen")

    # what people do whose hands are known

    def asked(self, *words: str) -> None:
        for seat, word in zip(self.game.seats, words, strict=True):
            self.do({"event": "call", "seat": seat, "call": word})

    def lay(
        self, hands: dict[int, list[str]], tricks: int, leads: str = "", fast: bool = False, down: str = ""
    ) -> None:
        """So many tricks of lawful cards, or all that are left.

        ``leads``: a card that is led when it can be; ``down``: the one that lies face down.
        """
        from kiosk.table.round.fold import fold

        shadow = fold(self.table.events)  # knows the hands, so that every breach is certain at once
        for seat, dealt in hands.items():
            shadow = shadow.apply(decode({"event": "hand", "seat": seat, "cards": dealt}))
        left = {seat: [*dealt] for seat, dealt in hands.items()}
        game = self.game
        for laid in [laid for trick in game.tricks for laid in trick.cards] + list(game.open_trick):
            left[laid.seat].remove(down if laid.down else laid.card)
        until = min(len(game.tricks) + tricks, game.book.hand_size)
        while not self.game.ended and len(self.game.tricks) < until:
            seat = self.game.next_to_lay
            first = [leads] if leads in left[seat] and not self.game.open_trick else []
            for card in [*first, *left[seat]]:
                event = {"event": "card", "seat": seat, "card": card}
                after = shadow.apply(decode(event))
                if len(after.offences) == len(shadow.offences):
                    break
            shadow = after
            left[seat].remove(card)
            if fast:
                self.table.request(decode_request(event, BY_ALL), 1.0)
            else:
                self.do(event)
        self.app.show(self.view)
        self.stage.step(3)


@pytest.fixture
def sit(hand: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Player]]:
    """People sit down at a real table without a camera, the round is released."""
    from kiosk.errors import Refused
    from kiosk.table.events.log import MemoryLog
    from kiosk.table.table import Table
    from kiosk.ui.parts.preview_request import ShowPreview
    from vision.messages import Blind

    def down(rules: str, players: int = 4, **options: object) -> Player:
        opened = {"event": "open", "format": 1, "rules": rules, "table": 7, "round": 1, "players": NAMES[:players]}
        table = Table(MemoryLog(), opening=decode_opening({**opened, "options": options}), now=0.0)
        table.observe(Blind(at=0.0, why="camera"), 0.0)

        def send(request: Request | FinishGame | ShowPreview) -> None:
            if isinstance(request, ShowPreview):
                hand.app.preview(table.preview(request.request))
                return
            try:
                table.request(request, 1.0)
            except Refused as refused:
                pytest.fail(f"{request} was refused: {refused}")
            hand.app.show(table.view(1.0))

        monkeypatch.setattr(hand.app, "_send", send)
        hand.app.show(table.view(1.0))
        hand.stage.step(3)
        player = Player(hand, table)
        player.do({"event": "release"})
        return player

    yield down


def deal_out(rules: str, seats: tuple[int, ...], seed: int, **held: str) -> dict[int, list[str]]:
    """Hands from a seed; ``s2="EO GO"`` are cards that seat 2 holds, ``l2="EA"`` cards that it lacks."""
    from kiosk.rules.books import BOOKS

    book = BOOKS[rules]
    cards = list(book.deck)
    hands = {seat: held.get(f"s{seat}", "").split() for seat in seats}
    for card in [card for cards_held in hands.values() for card in cards_held]:
        cards.remove(card)
    random.Random(seed).shuffle(cards)
    for seat in sorted(seats, key=lambda seat: -len(held.get(f"l{seat}", ""))):
        lacks = held.get(f"l{seat}", "").split()
        while len(hands[seat]) < book.hand_size:
            card = next(card for card in cards if card not in lacks)
            cards.remove(card)
            hands[seat].append(card)
    return hands


def test_a_game_by_touches_alone(sit: Callable[..., Player]) -> None:
    """A solo with an announcement, from the deal to the list (eppstein)."""
    from kiosk.demo.play import simulate

    player = sit("eppstein")
    for event in list(simulate("eppstein", 9, 1))[2:]:
        player.do(event)
    assert player.view.rows and player.view.rows[0].points >= 1
    assert player.play.ids.middle.right_key.startswith("Nächstes Spiel")


def test_three_bid_and_the_direction_gives_its_leave(sit: Callable[..., Player]) -> None:
    """schaffkopf II 2.1.3, 2.2, 4.1.2."""
    player = sit("schaffkopf")
    player.do({"event": "deal", "dealer": 1})
    player.asked("spielen", "auch", "auch", "recht")
    middle = player.play.ids.middle
    assert middle.title == "Bernd bietet"
    player.do({"event": "bid", "seat": 2, "class": "rufspiel"})
    player.do({"event": "bid", "seat": 3, "class": "wenz"})
    assert middle.line == "Höchstes Gebot: Wenz (Cem)"
    player.do({"event": "bid", "seat": 4, "class": "solo-tout"})
    assert "braucht Erlaubnis" in middle.title and "gerufen" in middle.line
    assert not player.play.panels[4].ids.key_box.children, "nobody names a game before the direction has spoken"
    player.do({"event": "leave", "seat": 4, "granted": True})
    assert middle.title == "Dora darf Solo-Tout spielen"
    player.do({"event": "declare", "seat": 4, "game": "solo-tout", "suit": "G"})
    hands = deal_out("schaffkopf", player.game.seats, 3)
    player.lay(hands, 2)
    player.lay(hands, 6, fast=True)
    (row,) = player.view.rows
    assert row.kind == "solo-tout" and abs(row.score[3]) == 18 and not row.void


def test_a_game_that_is_not_allowed_is_bid_lower(sit: Callable[..., Player]) -> None:
    """schaffkopf II 2.2: the class is lowered, and another's bid may then be the highest."""
    player = sit("schaffkopf")
    player.do({"event": "deal", "dealer": 1})
    player.asked("spielen", "auch", "recht", "recht")
    player.do({"event": "bid", "seat": 2, "class": "solo-tout"})
    player.do({"event": "bid", "seat": 3, "class": None}) if None in player.view.seats[2].bids else None
    player.do({"event": "leave", "seat": 2, "granted": False})
    assert "nicht erlaubt" in player.play.ids.middle.title
    player.do({"event": "bid", "seat": 2, "class": "solo"})
    player.do({"event": "declare", "seat": 2, "game": "solo", "suit": "E"})
    assert player.view.phase == "playing" and not player.view.offences


def test_who_alone_wants_a_tout_asks_first(sit: Callable[..., Player]) -> None:
    player = sit("schaffkopf")
    player.do({"event": "deal", "dealer": 1})
    player.asked("weiter", "weiter", "spielen", "recht")
    player.do({"event": "bid", "seat": 4, "class": "wenz-tout"})
    assert player.view.leave.state == "asked"
    player.do({"event": "leave", "seat": 4, "granted": True})
    player.do({"event": "declare", "seat": 4, "game": "wenz-tout"})
    assert player.view.phase == "playing" and not player.view.offences


def test_a_called_ace(sit: Callable[..., Player]) -> None:
    """schaffkopf II 4.1.6: what was called is in view, the partner from the moment the ace falls."""
    player = sit("schaffkopf")
    player.do({"event": "deal", "dealer": 1})
    player.asked("spielen", "recht", "recht", "recht")
    player.do({"event": "declare", "seat": 2, "game": "rufspiel", "card": "GA"})
    assert "ruft" in player.app.root.rail.kind
    hands = deal_out("schaffkopf", player.game.seats, 5, s2="GK EO GO", s4="GA")
    assert player.view.seats[3].side is None
    player.lay(hands, 1, leads="GK")
    assert player.view.seats[3].side == "re" and "spielt" in player.play.panels[4].said
    player.lay(hands, 7, fast=True)
    (row,) = player.view.rows
    assert row.kind == "rufspiel" and sum(row.score) == 0
    assert "gewinnen" in player.play.ids.middle.title


def test_a_forced_game(sit: Callable[..., Player]) -> None:
    """schaffkopf II 2.1.1, 3.1.7: nobody wants to play; who holds Eichel Ober calls, here by Renonce."""
    player = sit("schaffkopf")
    player.do({"event": "deal", "dealer": 1})
    player.asked("weiter", "weiter", "weiter", "weiter")
    assert player.play.ids.middle.title == "Niemand will spielen"
    player.do({"event": "declare", "seat": 3, "game": "muss", "card": "SA", "renonce": True})
    assert player.view.phase == "playing" and "Renonce" in player.app.root.rail.kind


def test_a_solo_is_raised(sit: Callable[..., Player]) -> None:
    """durchgaenge 5b: Bubensolo with Re before a Damensolo."""
    player = sit("durchgaenge")
    player.do({"event": "deal", "dealer": 1})
    player.asked("vorbehalt", "vorbehalt", "gesund", "gesund")
    player.do({"event": "declare", "seat": 2, "game": "damensolo"})
    player.do({"event": "declare", "seat": 3, "game": "bubensolo", "raise": ["re"]})
    assert player.view.declarer == 3 and "mit Re" in player.app.root.rail.kind
    hands = deal_out("durchgaenge", player.game.seats, 2)
    player.lay(hands, 1)
    owing = next(seat for seat in player.view.seats if seat.owes)
    assert f"{owing.name} muss ansagen" in player.play.ids.messages.text
    call = "keine90" if owing.seat == 3 else "kontra"
    player.do({"event": "announce", "seat": owing.seat, "call": call})
    assert not any(seat.owes for seat in player.view.seats)
    player.lay(hands, 9, fast=True)
    assert player.view.rows[0].declarer == 3 and not player.table.round.offences


def test_a_card_face_down_is_known_when_the_game_is_over(sit: Callable[..., Player]) -> None:
    """durchgaenge 4b: the Hochzeiter with nothing but trumps; nobody is asked which card it is before the end."""
    player = sit("durchgaenge")
    player.do({"event": "deal", "dealer": 1})
    player.asked("gesund", "gesund", "gesund", "vorbehalt")
    player.do({"event": "declare", "seat": 1, "game": "hochzeit"})
    marriage = "CQ CQ HT HQ CJ SJ DJ HJ DT DT"
    hands = deal_out("durchgaenge", player.game.seats, 4, s1=marriage, s2="CA")
    player.do({"event": "card", "seat": 2, "card": "CA"})
    clubs = {seat: next(card for card in hands[seat] if card[0] == "C" and card[1] in "ATK") for seat in (3, 4)}
    for seat, card in clubs.items():
        player.do({"event": "card", "seat": seat, "card": card})
    covers = list(player.view.seats[0].covers)
    assert "DA" not in covers and "DK" in covers
    down = {"event": "card", "seat": 1, "card": covers[0], "down": True, "doubt": covers, "unseen": True}
    player.do(down)
    assert player.view.doubts == (), "nobody is to look at it"
    assert player.game.klaerung is not None and covers[0] == "DK"
    player.do({"event": "announce", "seat": 2, "call": "re"})
    player.lay(hands, 9, fast=True, down="DT")
    assert player.view.doubts == () and player.view.rows[0].points
    assert player.game.tricks[0].card_of(1) == "DT", "the deck has told which card it was"


def test_any_card_of_the_open_trick_is_taken_back(sit: Callable[..., Player]) -> None:
    """durchgaenge 7a."""
    player = sit("durchgaenge")
    player.do({"event": "deal", "dealer": 1})
    player.asked("gesund", "gesund", "gesund", "gesund")
    for seat, card in ((2, "CA"), (3, "SK"), (4, "CT")):
        player.do({"event": "card", "seat": seat, "card": card})
    player.do({"event": "retract", "seat": 3, "card": "SK"})
    player.do({"event": "card", "seat": 3, "card": "CK"})
    assert not player.view.offences


def test_bock_and_a_bockrunde(sit: Callable[..., Player]) -> None:
    """schnittchen 5.2 and "Ansonsten": Re, Kontra, Bock; four plain hearts, and the next games count double."""
    player = sit("schnittchen")
    player.do({"event": "deal", "dealer": 1})
    player.asked("gesund", "gesund", "gesund", "gesund")
    player.do({"event": "announce", "seat": 2, "call": "re"})
    player.do({"event": "announce", "seat": 3, "call": "kontra"})
    player.do({"event": "announce", "seat": 2, "call": "bock"})
    hands = deal_out("schnittchen", player.game.seats, 8, s2="HA CQ", s3="HK", s4="HA", s1="HK", l3="CQ", l1="CQ")
    player.lay(hands, 1, leads="HA")
    player.lay(hands, 9, fast=True)
    values = dict(player.view.result.value)
    assert values["bock"] == 2 and player.view.bock_left == 4
    assert "Bockrunde" in player.play.ids.middle.warning
    player.do({"event": "deal", "dealer": 2})
    assert player.view.doubled and "zählt doppelt" in player.app.root.rail.bock


def test_trumpfschwach_and_the_duty_to_announce(sit: Callable[..., Player]) -> None:
    """bsv 4.1, 6.3.1."""
    player = sit("bsv")
    player.do({"event": "deal", "dealer": 1})
    player.asked("vorbehalt", "gesund", "gesund", "gesund")
    player.do({"event": "declare", "seat": 2, "game": "trumpfschwach"})
    player.do({"event": "deal", "dealer": 1})
    player.asked("gesund", "gesund", "gesund", "gesund")
    for seat, card in ((2, "CA"), (3, "CT"), (4, "CA"), (1, "CK")):
        player.do({"event": "card", "seat": seat, "card": card})
    assert player.view.seats[1].owes and "Bernd muss ansagen" in player.play.ids.messages.text
    player.do({"event": "announce", "seat": 2, "call": "kontra"})
    assert not any(seat.owes for seat in player.view.seats)
    assert player.app.root.rail.limited


def test_five_at_the_table(sit: Callable[..., Player]) -> None:
    """eppstein 2.2.7: the dealer sits out; forty cards without nines are another book's."""
    player = sit("eppstein", 5)
    player.do({"event": "deal", "dealer": 1})
    assert player.play.panels[1].away
    player.asked("gesund", "gesund", "gesund", "gesund")
    player.do({"event": "announce", "seat": 3, "call": "kontra"})
    player.lay(deal_out("eppstein", player.game.seats, 6, s3="CA", l3="CQ"), 1)
    assert [face.opacity for seat, face in sorted(player.play.card_faces.items())] == [0, 1, 1, 1, 1]


def test_a_rufspiel_takes_four_touches_at_most(sit: Callable[..., Player], monkeypatch: pytest.MonkeyPatch) -> None:
    """schaffkopf II 2: who plays says it in one go; one key, or the first card, says recht for the others."""
    player = sit("schaffkopf")
    player.do({"event": "deal", "dealer": 1})
    touches: list[Any] = []
    put = player.stage.put

    def counted(*where: Any) -> Any:
        touches.append(where)
        return put(*where)

    monkeypatch.setattr(player.stage, "put", counted)
    player.declare({"event": "declare", "seat": 4, "game": "rufspiel", "card": "EA", "ahead": True})
    player.stage.step(5)
    middle = player.play.ids.middle
    assert (middle.title, middle.line, middle.left_key) == ("Dora spielt", "Erste Karte = alle recht", "Alle: recht")
    assert player.play.panels[2].said == "(weiter)" and not player.app.root.ids.rail.kind
    assert "auch" in panel_key(player.hand, 1, "auch").text
    player.hand.touch("Alle: recht")
    player.stage.step(5)
    assert len(touches) <= 4, touches
    assert player.view.phase == "playing" and "Rufspiel" in player.app.root.ids.rail.kind
    called = [event for event in map(encode, player.table.events) if event["event"] in ("call", "declare")]
    implied = [(one["seat"], one["call"]) for one in called if one.get("implied")]
    spoken = [(one["seat"], one.get("call")) for one in called if not one.get("implied")]
    assert (implied, spoken) == ([(2, "weiter"), (3, "weiter"), (1, "recht")], [(4, "spielen"), (4, None)])


def test_a_normal_game_of_doppelkopf_takes_no_touch(sit: Callable[..., Player]) -> None:
    player = sit("eppstein")
    player.do({"event": "deal", "dealer": 1})
    middle = player.play.ids.middle
    assert (middle.line, middle.left_key) == ("Erste Karte = alle gesund", "Alle: gesund")
    player.table.request(decode_request({"event": "card", "seat": 2, "card": "CA"}), 1.0)
    player.app.show(player.view)
    player.stage.step(3)
    assert player.view.phase == "playing"


# What is put right, and what needs no Reklamation


def two_games_with_a_ruling(sit: Callable[..., Player]) -> Player:
    """A conceded solo with a ruling against Cem, and the next game dealt (eppstein)."""
    player = sit("eppstein")
    player.do({"event": "deal", "dealer": 1})
    player.asked("vorbehalt", "gesund", "gesund", "gesund")
    player.do({"event": "declare", "seat": 2, "game": "damensolo", "duty": True})
    everybody = BY_ALL
    for event in (
        {"event": "card", "seat": 2, "card": "CA"},
        {"event": "rule", "offender": 3, "class": "minor"},
        {"event": "claim", "seat": 2, "kind": "concede"},
        {"event": "deal", "dealer": 1},
    ):
        player.table.request(decode_request(event, everybody), 1.0)
    player.app.show(player.view)
    player.stage.step(5)
    return player


def test_a_wrong_ruling_is_put_right_after_the_next_deal(sit: Callable[..., Player]) -> None:
    """It was Dora, and to the soloist's harm: 3 points to Bernd alone (eppstein 8.4.3 b.1)."""
    player = two_games_with_a_ruling(sit)
    before = player.view.rows[0].score
    player.referee()
    player.hand.touch("Entscheid berichtigen")
    player.hand.touch("Geringfügig – Cem")
    sheet = player.app.sheets.current
    assert (sheet.about, sheet.grade, sheet.offender) == ("Geringfügig – Cem", "minor", 3)
    player.stage.touch(next(key for key in sheet.ids.offenders.children if key.value == "4"))
    player.hand.touch("Nachteil")
    player.hand.hold("Eintragen")
    player.hand.all_agree()
    after = player.view.rows[0].score
    assert [now - then for then, now in zip(before, after, strict=True)] == [-1, 2, 3, -4]
    assert player.view.corrected == 1 and player.view.phase == "asking"
    made = encode(player.table.events[-1])
    assert (made["event"], made["word"]["offender"], made["word"]["harms_soloist"]) == ("correct", 4, True)


def test_a_ruling_is_taken_back(sit: Callable[..., Player]) -> None:
    player = two_games_with_a_ruling(sit)
    player.referee()
    player.hand.touch("Entscheid berichtigen")
    player.hand.touch("Geringfügig – Cem")
    player.hand.hold("Entscheid zurücknehmen")
    player.hand.all_agree()
    assert player.view.rulings[0].ruling.word is None and not any(row.listed.ruled for row in player.view.rows)


@pytest.mark.parametrize("minutes", [3, 5])
def test_extra_time_that_no_reklamation_stands_behind(sit: Callable[..., Player], minutes: int) -> None:
    player = sit("eppstein")
    left = player.view.clock.remaining
    player.referee()
    player.hand.touch("Nachspielzeit")
    player.stage.hold(
        next(key for key in player.app.sheets.current.ids.minutes.children if key.text == f"{minutes} min")
    )
    player.hand.all_agree()
    assert player.view.clock.extra == 60 * minutes == player.view.clock.remaining - left
    player.do({"event": "deal", "dealer": 1})


@pytest.mark.parametrize("stops", [False, True])
def test_a_break_begins_and_ends_on_the_screen(sit: Callable[..., Player], stops: bool) -> None:
    player = sit("eppstein", break_stops_clock=stops)
    player.hand.touch("Mehr")
    player.hand.touch("Pause")
    if stops:
        player.hand.all_agree()
    player.stage.step(3)
    assert player.view.paused == ("stands" if stops else "runs")
    words = player.play.ids.messages
    assert ("Uhr steht" in words.text) is stops
    player.stage.touch(words.plate("paused"))
    player.stage.step(3)
    assert player.view.paused == "" and "Pause" not in words.text


def test_two_who_were_taken_for_each_other_after_the_first_deal(sit: Callable[..., Player]) -> None:
    player = two_games_with_a_ruling(sit)
    player.hand.touch("Mehr")
    player.hand.touch("Plätze tauschen")
    for name in ("Bernd", "Dora"):
        player.stage.touch(next(key for key in player.app.sheets.current.ids.seats.children if name in key.text))
    player.hand.all_agree()
    assert [seat.name for seat in player.view.seats] == ["Anna", "Dora", "Cem", "Bernd"]


def test_two_say_the_same_at_once(sit: Callable[..., Player]) -> None:
    """eppstein 5.5.7 b: while the partnership is not clear the next step is announced."""
    player = sit("eppstein")
    player.do({"event": "deal", "dealer": 1})
    player.table.request(decode_request({"event": "card", "seat": 2, "card": "CA"}), 1.0)
    player.app.show(player.view)
    player.stage.step(3)
    player.do({"event": "announce", "seat": 2, "call": "kontra"})
    player.hand.touch("Mehr")
    player.hand.touch("Ansage nachtragen")
    player.hand.touch("Cem")
    player.choose(3, ("said", "kontra", True))
    made = {key: value for key, value in encode(player.table.events[-1]).items() if key != "at"}
    assert made == {"event": "announce", "seat": 3, "call": "kontra", "together": True}
    assert not player.game.offences


def test_a_game_is_named_again_before_the_first_card(sit: Callable[..., Player]) -> None:
    """The last naming before the first card holds (docs/protocol.md)."""
    from kiosk.ui.play.unfolded import ChoiceOfSeat

    player = sit("eppstein")
    player.do({"event": "deal", "dealer": 1})
    player.asked("vorbehalt", "gesund", "gesund", "gesund")
    player.do({"event": "declare", "seat": 2, "game": "damensolo", "duty": True})
    player.hand.touch("Mehr")
    player.hand.touch(player.app.words["answers"])
    player.stage.touch(player.stage.find(ChoiceOfSeat, meaning=("declare",)))
    form = next(game for game in player.view.seats[1].games if game["game"] == "bubensolo")
    player.choose(2, ("declare_as", tuple(form.items())))
    assert player.view.kind == "bubensolo"


def test_a_finger_does_what_a_round_says_and_nothing_that_no_key_offers(sit: Callable[..., Player]) -> None:
    """The finger with which ``stichwart bench evenings`` plays, in any language."""
    from kiosk.demo.finger import Finger, FingerError
    from kiosk.demo.play import simulate

    player = sit("schaffkopf")
    finger = Finger(player.stage, player.table)
    events = list(simulate("schaffkopf", 5, 1))[2:]
    for event in events:
        if event["event"] == "card" and not player.game.tricks:
            with pytest.raises(FingerError, match="is not offered"):
                finger.do({"event": "declare", "seat": event["seat"], "game": "damensolo"})
        finger.do(event)
    assert player.view.rows
