"""Taking back and putting right by finger, at a table that answers: what is touched comes to be what counts."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.language import LANGUAGES
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import WORDS
from kiosk.table.scoresheet.berichtigung import ListNote, counted
from kiosk.table.table import Table
from kiosk.tournament.berichtigung import mend_note
from kiosk.ui.parts.whole import overlaps

pytestmark = pytest.mark.render

Body = dict[str, Any]
DEAL: Body = {"event": "deal", "dealer": 1}
GESUND: list[Body] = [{"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4, 1)]
NAMES = ("Anna", "Bernd", "Cem", "Dora")


def say(seat: int, call: str) -> Body:
    return {"event": "announce", "seat": seat, "call": call}


def card(text: str) -> Body:
    return {"event": "card", "seat": int(text[0]), "card": text[1:]}


class Evening:
    """A table and the screen before it: each request goes to the table, each view back to the screen."""

    def __init__(self, hand: Any, rules: str, *bodies: Body, directed: bool = True) -> None:
        opening = {"event": "open", "format": 1, "rules": rules, "table": 7, "round": 1, "players": list(NAMES)}
        self.hand = hand
        self.table = Table(MemoryLog(), now=0.0, opening=decode_opening(opening), directed=directed)
        self.refused = ""
        self.happens({"event": "release"}, *bodies)
        hand.app.go("play")

    def happens(self, *bodies: Body) -> None:
        for body in bodies:
            self.table.note(decode(body))
        self.hand.show(self.table.view())

    def answer(self) -> None:
        """Let the table answer all that was asked for."""
        from kiosk.ui.parts.preview_request import ShowPreview

        while self.hand.asked:
            request = self.hand.asked.pop(0)
            if isinstance(request, ShowPreview):
                self.hand.app.preview(self.table.preview(request.request))
                continue
            try:
                self.table.request(request, 1.0)
            except Refused as refusal:
                self.refused = refusal.code
        self.hand.show(self.table.view())

    def touch(self, words: str) -> None:
        self.hand.touch(words)
        self.answer()

    def hold(self, words: str) -> None:
        self.hand.hold(words)
        self.answer()

    def on_sheet(self, words: str) -> None:
        """Touch the key of the open sheet that says just this in its first line."""
        self.hand.stage.step(2)
        widgets = self.hand.app.sheets.current.walk(restrict=True)
        found = [one for one in widgets if _first_line(getattr(one, "text", "")) == words and not one.disabled]
        self.hand.stage.touch(found[0])
        self.answer()

    def all_agree(self) -> None:
        self.hand.all_agree()
        self.answer()

    def keys(self) -> list[str]:
        """First lines of all keys of the open sheet."""
        from kiosk.ui.parts.look import Key

        sheet = self.hand.app.sheets.current
        keys = [one for one in sheet.walk(restrict=True) if isinstance(one, Key) and one.opacity and not one.disabled]
        return [_first_line(one.text) for one in keys if "✕" not in one.text]

    def offers_back(self, seat: int) -> bool:
        panel = self.hand.app.screen("play").panels[seat]
        return any(key.parent and "zurück" in key.calm_text for key in panel._keys)

    @property
    def said(self) -> list[tuple[int, str]]:
        assert self.table.round.game is not None
        return [(one.seat, one.call) for one in self.table.round.game.said]

    @property
    def last(self) -> Body:
        return encode(self.table.events[-1])


def _first_line(text: str) -> str:
    line = text.split("\n")[0]
    for mark in ("[b]", "[/b]", "[s]", "[/s]"):
        line = line.replace(mark, "")
    return line


def test_the_panel_takes_back_what_was_just_said(hand: Any) -> None:
    evening = Evening(hand, "eppstein", DEAL, *GESUND, say(2, "re"))
    assert [seat for seat in (1, 2, 3, 4) if evening.offers_back(seat)] == [2]
    evening.touch("zurück")
    assert evening.said == [] and not evening.offers_back(2)
    assert {key: evening.last[key] for key in ("of", "word", "by", "why")} == {
        "of": 7, "word": None, "by": "seat 2", "why": "Vertippt",
    }  # fmt: skip


def test_it_stands_for_some_seconds_and_the_book_still_allows_it_by_the_menu(hand: Any) -> None:
    evening = Evening(hand, "eppstein", DEAL, *GESUND, say(2, "re"))
    hand.stage.wait(7.5)
    assert evening.offers_back(2)
    hand.stage.wait(1)
    assert not evening.offers_back(2)
    evening.happens()
    assert not evening.offers_back(2)  # another view of the same does not bring it again
    hand.app.sheets.open("spoken")
    evening.on_sheet("Re")
    evening.on_sheet("wurde nicht gesagt")
    assert evening.said == [] and evening.last["by"] == "seat 2"


@pytest.mark.parametrize(
    ("rules", "said", "then"),
    [
        pytest.param("eppstein", [*GESUND, say(2, "re")], [say(3, "kontra")], id="somebody spoke"),
        pytest.param("eppstein", [*GESUND, say(2, "re")], [card("2CA")], id="a card lies"),
        pytest.param("schaffkopf", [{"event": "call", "seat": 2, "call": "spielen"}], [], id="schaffkopf II 2.2"),
    ],
)
def test_the_panel_offers_no_more_than_the_book(hand: Any, rules: str, said: list[Body], then: list[Body]) -> None:
    evening = Evening(hand, rules, DEAL, *said)
    evening.happens(*then)
    assert not evening.offers_back(2)


def test_a_long_word_does_not_push_the_key_s_own_word_out(hand: Any) -> None:
    named: Body = {"event": "declare", "seat": 2, "game": "farbsolo", "suit": "H", "duty": True}
    evening = Evening(hand, "eppstein", DEAL, *GESUND, named)
    assert evening.offers_back(2)
    key = hand.stage.key("zurück")
    assert "Farbsolo" not in key.text and key.texture_size[1] <= key.height


def test_two_touches_of_the_same_key_take_back_once(hand: Any) -> None:
    evening = Evening(hand, "eppstein", DEAL, *GESUND, say(2, "re"))
    key = hand.stage.key("zurück")
    hand.stage.touch(key)
    request = hand.asked[0]
    hand.asked.append(request)
    events = len(evening.table.events)
    evening.answer()
    assert len(evening.table.events) == events + 1


def test_all_agree_that_another_has_said_it(hand: Any) -> None:
    evening = Evening(hand, "eppstein", DEAL, *GESUND, say(2, "re"), card("2CA"))
    hand.app.sheets.open("more")
    hand.stage.step(2)
    hand.touch("Richtigstellen")
    evening.on_sheet("Re")
    evening.on_sheet("Verhört")
    evening.on_sheet("Jemand anders …")
    evening.on_sheet("Cem")
    assert evening.said == [(2, "re")] and not hand.asked  # nobody has agreed yet
    evening.all_agree()
    assert evening.said == [(3, "re")]
    assert {key: evening.last[key] for key in ("by", "agreed", "why", "word")} == {
        "by": "all", "agreed": [1, 2, 3, 4], "why": "Verhört", "word": say(3, "re"),
    }  # fmt: skip


def test_the_referee_stands_for_all_by_his_code(hand: Any) -> None:
    evening = Evening(hand, "eppstein", DEAL, *GESUND, say(2, "re"), card("2CA"))
    hand.app.gate = "code"
    try:
        hand.app.sheets.open("put_right", event=7)
        evening.on_sheet("wurde nicht gesagt")
        evening.on_sheet("Der Schiedsrichter ist hier")
        assert evening.said == [(2, "re")] and not hand.asked
        hand.app.sheets.current.answered(True, 0)
        evening.answer()
    finally:
        hand.app.gate = "hold"
    assert evening.said == [] and (evening.last["by"], "agreed" in evening.last) == ("referee", False)


@pytest.mark.parametrize("gate", ["code", "hold"])
def test_the_question_to_all_lies_between_their_keys(hand: Any, gate: str) -> None:
    from kiosk.ui.parts.look import Key, Para

    evening = Evening(hand, "eppstein", DEAL, *GESUND, say(2, "re"), card("2CA"))
    before, hand.app.gate = hand.app.gate, gate
    try:
        hand.app.sheets.open("put_right", event=7)
        evening.on_sheet("keine 30")
        hand.stage.step(3)
        around = hand.app.sheets.current.ids.around.children
        (question,) = [one for one in around if isinstance(one, Para)]
        keys = [one for one in around if isinstance(one, Key) and one.opacity]
    finally:
        hand.app.gate = before
    assert len(keys) == (5 if gate == "code" else 4)
    assert "Bernd: Re\nrichtig: Bernd: keine 30" in question.text
    assert not [key.text for key in keys if key.collide_widget(question)]


@pytest.mark.parametrize("gate", ["code", "shut"])
def test_what_the_direction_ordered_is_for_the_referee(hand: Any, gate: str) -> None:
    ordered: Body = {"event": "rule", "class": "minor", "offender": 2, "order_number": 3}
    evening = Evening(hand, "eppstein", DEAL, *GESUND, card("2CA"), ordered)
    before, hand.app.gate = hand.app.gate, gate
    try:
        hand.app.sheets.open("put_right", event=8)
        evening.on_sheet("gilt nicht")
        if gate == "code":
            hand.app.sheets.current.answered(True, 0)
            evening.answer()
            assert evening.last["by"] == "referee"
        else:
            assert evening.refused == "needs_referee"
    finally:
        hand.app.gate = before


def test_a_word_taken_back_is_offered_again(hand: Any) -> None:
    evening = Evening(hand, "eppstein", DEAL, *GESUND, say(2, "re"), card("2CA"), card("3C9"))
    evening.happens({"event": "correct", "of": 7, "word": None})
    hand.app.sheets.open("put_right", event=7)
    hand.stage.step(2)
    evening.on_sheet("Re")
    evening.all_agree()
    assert evening.said == [(2, "re")]


def test_a_game_is_named_otherwise_in_two_steps(hand: Any) -> None:
    asked = [{"event": "call", "seat": seat, "call": "weiter"} for seat in (3, 4, 1)]
    named = {"event": "declare", "seat": 2, "game": "rufspiel", "card": "EA"}
    first = {"event": "call", "seat": 2, "call": "spielen"}
    evening = Evening(hand, "schaffkopf", DEAL, first, *asked, named, card("2GA"))
    hand.app.sheets.open("put_right", event=7)
    hand.stage.step(2)
    evening.on_sheet("Solo …")
    evening.on_sheet("Solo Herz")
    evening.all_agree()
    game = evening.table.round.game
    assert game is not None and (game.kind, game.contract.suit) == ("solo", "H")


def test_what_stands_in_the_way_is_said(hand: Any) -> None:
    evening = Evening(hand, "eppstein", DEAL, *GESUND, {"event": "void"}, {"event": "sign", "seat": 2})
    hand.app.sheets.open("put_right", event=7)
    hand.stage.step(2)
    evening.on_sheet("gilt nicht")
    evening.all_agree()
    assert evening.refused == "signature_in_the_way"


WAYS: dict[str, tuple[list[Body], Body, str, str]] = {
    "a card": (
        [card("2CA"), card("3C9")],
        {"event": "correct", "of": 7, "card": "CA", "seat": 3},
        "de",
        "Das passt nicht zu dem, was danach geschah: Bitte erst dies richtigstellen\nCem: Kreuz 9 (Spiel 1, 1. Stich)",
    ),
    "a card, in English": (
        [card("2CA"), card("3C9")],
        {"event": "correct", "of": 7, "card": "CA", "seat": 3},
        "en",
        "This does not fit what happened later: please put this right first\nCem: 9 of clubs (game 1, trick 1)",
    ),
    "the next deal": (
        [{"event": "void"}, {"event": "deal", "dealer": 1}],
        {"event": "correct", "of": 7, "word": None},
        "de",
        "Anna: hat gegeben (Spiel 1)",
    ),
    "a signature": (
        [{"event": "void"}, {"event": "sign", "seat": 2}],
        {"event": "correct", "of": 7, "word": None},
        "de",
        "Bernd: Unterschrift (Spiel 1)",
    ),
}


@pytest.mark.parametrize(("events", "asked", "language", "told"), WAYS.values(), ids=WAYS)
def test_what_stands_in_the_way_is_named(hand: Any, events: list[Body], asked: Body, language: str, told: str) -> None:
    """What it was, whose, in which game and trick, as card players say it, and the way out."""
    evening = Evening(hand, "eppstein", DEAL, *GESUND, *events)
    hand.app.speak(language)
    with pytest.raises(Refused) as refused:
        evening.table.request(decode_request(asked, BY_ALL), 1.0)
    hand.app.refused(refused.value.code, refused.value.section, refused.value.detail, refused.value.way)
    hand.stage.step(2)
    assert told in hand.app.refusal.text


def wrongly_ruled(hand: Any) -> Evening:
    """A serious breach was ruled against Anna, and the next game is in play."""
    ruling = {"event": "rule", "offender": 1, "class": "serious"}
    return Evening(hand, "eppstein", DEAL, *GESUND, card("2CA"), ruling, {"event": "deal", "dealer": 2})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "language"), [((800, 480), "de"), ((1280, 800), "en")], ids=["800x480 de", "1280x800 en"]
)
def test_a_ruling_put_right_shows_its_row_before_anybody_agrees(
    hand: Any, size: tuple[int, int], language: str
) -> None:
    hand.stage.size(*size)
    try:
        evening = wrongly_ruled(hand)
        hand.app.speak(language)
        before = evening.table.view().rows[0].score
        hand.app.sheets.open("ruling", of=8)
        sheet = hand.app.sheets.current
        sheet.choose_offender(2)
        hand.stage.wait(0.5)
        evening.answer()
        hand.stage.step(3)
        swapped = (before[1], before[0])
        was = [f"{NAMES[seat]} {_signed(before[seat])} › {_signed(swapped[seat])}" for seat in (0, 1)]
        assert all(one in sheet.change.replace("\N{NO-BREAK SPACE}", " ") for one in was), sheet.change
        said, request = sheet.change, sheet._request()
        evening.happens(card("3C9"))
        assert hand.app.sheets.current is sheet, "the game goes on meanwhile"
        sheet.book()
        hand.app.gate = "code"  # the key of a referee with a code needs room as well
        hand.app.sheets.open("agree", request=request, question="Entscheid berichtigen: Schwer – Bernd")
        evening.answer()
        hand.stage.step(3)
        sheet = hand.app.sheets.current
        assert sheet.change == said
        check_apart(sheet)
        evening.all_agree()
        assert evening.table.view().rows[0].score[:2] == swapped
    finally:
        hand.stage.size(800, 480)


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"


def check_apart(sheet: Any) -> None:
    """The question stands clear of all keys."""
    from kiosk.ui.parts.look import Key, Para

    (question,) = [one for one in sheet.ids.around.children if isinstance(one, Para)]
    keys = [one for one in sheet.ids.around.children if isinstance(one, Key) and one.opacity]
    assert len(keys) >= 4 and not [key.text for key in keys if question.collide_widget(key)]


def test_a_ruling_that_cannot_go_is_told_before_anybody_agrees(hand: Any) -> None:
    evening = wrongly_ruled(hand)
    hand.app.sheets.open("ruling", of=8)
    hand.app.sheets.current.withdraw()
    evening.answer()
    hand.stage.step(3)
    assert "Anna: hat gegeben" not in hand.app.sheets.current.change
    assert "Bernd: hat gegeben (Spiel" in hand.app.sheets.current.change and evening.table.events[-1].name == "deal"


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "on its own"])
def test_a_list_handed_in(hand: Any, directed: bool) -> None:
    """At a directed table the sheet says who can; at one on its own all agree to open it again."""
    evening = Evening(hand, "eppstein", {"event": "close"}, directed=directed)
    hand.app.sheets.open("spoken")
    hand.stage.step(2)
    evening.on_sheet("Liste abgegeben")
    if directed:
        assert evening.keys() == [] and "nur noch die Turnierleitung" in hand.app.sheets.current.asks
        return
    evening.on_sheet("gilt nicht")
    evening.all_agree()
    assert not evening.table.round.closed


def test_a_signature_is_taken_back_by_its_seat(hand: Any) -> None:
    evening = Evening(hand, "schnittchen", {"event": "time_up"}, {"event": "sign", "seat": 2})
    hand.app.go("list")
    hand.stage.step(2)
    evening.hold("Bernd")
    assert evening.table.round.signed == () and evening.last["by"] == "seat 2"
    assert hand.app.screen("list").corrected == "Richtiggestellt: 1"


@pytest.mark.parametrize("rules", ["eppstein", "schaffkopf"])
def test_what_the_direction_has_put_right_stands_below_the_list_and_is_told(hand: Any, rules: str) -> None:
    from kiosk.ui.play.messages_text import MENDED, messages

    played = [one for one in simulate(rules, 5, table=7, games=2) if one["event"] not in ("open", "release")]
    evening = Evening(hand, rules, *played)
    written = counted(evening.table.round)
    score = {str(seat): points for seat, points in written.rows[0].score.items()}
    notes: list[ListNote] = []
    wishes: list[Body] = [
        {"what": "points", "game": 1, "after": {**score, "1": score["1"] + 3}},
        {"what": "penalty", "seat": 2, "after": -5},
    ]
    for wish in wishes:
        wish |= {"reason": "verrechnet", "seen": len(notes)}
        body = mend_note(counted(evening.table.round, notes), notes, wish)
        notes.append(ListNote(number=len(notes), at=1, body=body))
    evening.table.put_right(notes)
    hand.app.notice(MENDED, "Spiel 1: Punkte +2 → +5")
    hand.show(evening.table.view(0.0))
    assert hand.app.refusal.opacity and "Spiel 1" in hand.app.refusal.text
    assert any(one.key == MENDED for one in messages(hand.app, hand.app.view))
    hand.app.go("list")
    hand.stage.step(2)
    screen = hand.app.screen("list")
    assert [line[:2] for line in screen.mended.split("\n")] == ["*1", "*2"] and "verrechnet" in screen.mended
    assert screen.rows.seen[0].kind.endswith("*1")
    assert [row.kind for row in screen._foot][-2:] == ["Punktabzug *2", "Endergebnis"]
    assert MENDED not in hand.app.notices, "people have looked at it"


def test_more_words_than_one_page(hand: Any) -> None:
    words = [say(2 + number % 2, "re") for number in range(14)]
    evening = Evening(hand, "eppstein", DEAL, *GESUND, *words)
    hand.app.sheets.open("spoken")
    hand.stage.step(2)
    assert evening.keys() == ["Re"] * 8 + ["Weitere"]
    assert overlaps(hand.app.sheets.current) == []
    evening.on_sheet("Weitere")
    assert evening.keys() == [*["Re"] * 6, *["gesund"] * 2, "Weitere"]
    evening.on_sheet("Weitere")
    assert evening.keys() == [*["gesund"] * 2, "hat gegeben", "Weitere"]
    evening.on_sheet("Weitere")
    assert len(evening.keys()) == 9


def test_as_many_words_as_have_room_stand_on_one_page(hand: Any) -> None:
    evening = Evening(hand, "eppstein", DEAL, *GESUND, *(say(2 + number % 2, "re") for number in range(5)))
    hand.app.sheets.open("spoken")
    hand.stage.step(2)
    shown = evening.keys()
    assert len(shown) == 10 and "Weitere" not in shown
    assert overlaps(hand.app.sheets.current) == []


def test_nothing_was_said_yet(hand: Any) -> None:
    evening = Evening(hand, "eppstein")
    hand.app.sheets.open("spoken")
    hand.stage.step(2)
    assert evening.keys() == [] and "noch nichts gesagt" in hand.app.sheets.current.ids.none.text


#: A word of each kind that can be put right.
SAMPLES: dict[str, tuple[str, Body, str]] = {
    "deal": ("eppstein", {"dealer": 2}, "hat gegeben"),
    "call": ("eppstein", {"seat": 2, "call": "gesund"}, "gesund"),
    "bid": ("schaffkopf", {"seat": 2, "class": None}, "kein höheres"),
    "declare": ("eppstein", {"seat": 2, "game": "farbsolo", "suit": "H", "duty": True}, "Farbsolo Herz (Pflicht)"),
    "leave": ("schaffkopf", {"seat": 2, "granted": False}, "Turnierleitung erlaubt es nicht"),
    "announce": ("eppstein", {"seat": 2, "call": "keine90", "side": "re"}, "keine 90 (Re)"),
    "retract": ("eppstein", {"seat": 2, "card": "HT"}, "nimmt Herz 10 zurück"),
    "claim": ("eppstein", {"seat": 2, "kind": "rest"}, "macht den Rest"),
    "object": ("eppstein", {"seat": 2}, "Reklamation"),
    "rule": ("eppstein", {"class": "minor", "offender": 2}, "Entscheidung, Bernd, Geringfügig"),
    "void": ("eppstein", {}, "Neu geben"),
    "strike": ("eppstein", {"game": 3}, "Spiel 3 gestrichen"),
    "time_up": ("eppstein", {}, "Ende der Spielzeit"),
    "sign": ("eppstein", {"seat": 2}, "Unterschrift"),
    "substitute": ("eppstein", {"seat": 2, "player": "Xaver [b]"}, "Xaver &bl;b&br; kommt"),
    "name": ("eppstein", {"seat": 2, "player": "Berta"}, "heißt Berta"),
    "swap": ("eppstein", {"seats": [1, 3]}, "Plätze tauschen: Anna, Cem"),
    "close": ("eppstein", {}, "Liste abgegeben"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind.name for kind in WORDS])
def test_every_word_is_told(hand: Any, kind: str) -> None:
    from kiosk.ui.parts.told import sentence, told

    rules, keys, words = SAMPLES[kind]
    Evening(hand, rules)
    word = {"event": kind, **keys}
    decode(word)
    assert told(hand.app, word) == words
    assert sentence(hand.app, word) == (f"Bernd: {words}" if {"seat", "dealer"} & keys.keys() else words)
    for language in LANGUAGES:
        hand.app.speak(language)
        assert told(hand.app, word)


def test_who_said_no_to_a_rest_takes_it_back_in_his_own_area(hand: Any) -> None:
    solo = {"event": "declare", "seat": 1, "game": "damensolo", "duty": True}
    answers = [*({"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4))]
    vorbehalt = {"event": "call", "seat": 1, "call": "vorbehalt"}
    claim = {"event": "claim", "seat": 1, "kind": "rest", "accepted": False, "contested": 3}
    evening = Evening(hand, "eppstein", DEAL, *answers, vorbehalt, solo, card("1CA"), claim)
    assert evening.table.view().phase != "playing"
    assert [seat for seat in (1, 2, 3, 4) if evening.offers_back(seat)] == [3]
    evening.touch("zurück")
    assert evening.table.view().phase == "playing" and evening.last["by"] == "seat 3"
