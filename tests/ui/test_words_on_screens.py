"""What the screens of every book say: one language at a time, and no other game's words."""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kiosk.app import fitting
from kiosk.demo.play import simulate
from kiosk.language import LANGUAGES, put_words, say, texts
from kiosk.language.own_words import take_words
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round
from kiosk.table.view.show import view
from kiosk.table.view.table_view import TableView

#: Words of Doppelkopf that nobody says at a table of Schafkopf (schaffkopf II 5.2: no Contra, no Re).
DOPPELKOPF = re.compile(
    r"\b(Vorbehalt\w*|[Gg]esund|Re|Kontra|Absage\w*|[Kk]eine (90|60|30)|no (90|60|30)|Hochzeit|Fuchs|fox|Dulle|Karlchen"
    r"|Pflichtsol\w+|Lustsol\w+|compulsory|voluntary|Kreuz|Pik|Karo|clubs|spades|diamonds|Dame|Bube|queen|jack|Bock\w*"
    r"|Fehl(stich|farbe)\w*|Klärungsstich|Trumpfschwach|Schmeißen|Damensolo|Bubensolo|Farbsolo|Fleischlos|Doppelkopf)\b"
)
#: Sheets that open at any moment of a round.
ANYTIME = ("complain", "finish", "messages", "more", "rulings", "spoken", "strike", "void")
#: Sheets that say the same at any moment.
ALWAYS_ALIKE = ("call_referee", "devices", "replace", "screen", "swap")
NAMES = {"Anna", "Bernd", "Cem", "Dora", "Emil"}


@cache
def spoken(language: str) -> frozenset[str]:
    """Every word of a language's catalogue, in small letters."""
    told = [text for found in texts(language).values() for text in found.values()]
    forms = [form for text in told for form in ([text] if isinstance(text, str) else text)]
    return frozenset(word.lower() for form in forms for word in tokens(re.sub(r"\{[^}]*\}", " ", form)))


def tokens(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", text)


def only_in(language: str) -> frozenset[str]:
    (other,) = set(LANGUAGES) - {language}
    return spoken(language) - spoken(other)


def written(app: Any) -> list[str]:
    """Everything that is written on the screen, without marks of the layout."""
    from kivy.uix.label import Label

    def visible(widget: Any) -> Iterator[Any]:
        if widget.opacity:
            yield widget
            for child in widget.children:
                yield from visible(child)

    shown = [widget.text for widget in visible(app.root) if isinstance(widget, Label)]
    return [re.sub(r"\[/?[a-z_]+(=[^\]]*)?\]", " ", text) for text in shown]


@cache
def moments(rules: str) -> tuple[TableView, ...]:
    """Of a simulated round with slips two moments of each phase, those with a breach, a bid, a result, and the end."""
    round, seen, found = None, {}, []
    for event in simulate(rules, 7, 2, mistakes=0.04):
        round = open_round(decode(event)) if round is None else round.apply(decode(event))
        shown = view(round)
        kind = (shown.phase, bool(shown.offences), bool(shown.leave), shown.kind if shown.phase == "scored" else "")
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] == 1:
            found.append(shown)
    return (*found, shown)


def sheets(shown: TableView, anytime: bool, first: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """The sheets that this moment can open."""
    yield from ((name, {}) for name in ALWAYS_ALIKE if first)
    yield from ((name, {}) for name in ANYTIME if anytime)
    yield from (("lay", {"seat": seat.seat}) for seat in shown.seats if seat.turn and anytime)
    if any(one.claimants for one in shown.offences):
        yield "breach", {}
    if shown.presets:
        yield "ruling", {}
    if shown.last_trick and anytime:
        yield "last", {}
    if shown.phase == "scored":
        yield "tricks", {}


def every_word(hand: Any, rules: str, language: str) -> Iterator[str]:
    """Show each moment on each screen, with each sheet and each seat's choices, and yield what is written.

    What says the same as a moment before is not shown again. In German every other moment is shown: it is what a place
    says that asks for no language; but all of Schafkopf, whose German words are its own.
    """
    from kiosk.ui.play.choices import CHOICES

    hand.app.speak(language)
    phases, listed, chosen = set(), None, set()
    for shown in moments(rules)[:: 2 if language == "de" and rules != "schaffkopf" else 1]:
        hand.app.show(shown)
        hand.stage.step(1)
        for screen in ("list", "clock", "play"):
            if screen == "list" and listed == (shown.phase, shown.rows, shown.signed):
                continue  # it says the same
            hand.app.go(screen)
            hand.stage.step(1)
            yield from written(hand.app)
        listed = shown.phase, shown.rows, shown.signed
        play = hand.app.screen("play")
        for kind in CHOICES:
            for seat in shown.seats:
                faces = CHOICES[kind](hand.app, seat, shown)
                if (seat.seat, faces) not in chosen:
                    chosen.add((seat.seat, faces))
                    play.unfold(seat.seat, kind)
            if not play._unfolded:
                continue
            hand.stage.step(1)
            yield from written(hand.app)
            for seat in shown.seats:
                play.fold(seat.seat)
        for name, what in sheets(shown, anytime=shown.phase not in phases, first=not phases):
            hand.app.sheets.open(name, **what)
            hand.stage.step(1)
            yield from written(hand.app)
            hand.app.sheets.close()
        phases.add(shown.phase)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", BOOKS)
def test_a_screen_speaks_one_language_and_its_own_game(hand: Any, rules: str, language: str) -> None:
    (other,) = set(LANGUAGES) - {language}
    foreign = only_in(other) - {name.lower() for name in NAMES} - {say("language", "name", other).lower()}  # the key's
    title = BOOKS[rules].title
    found, said = set(), 0
    for text in every_word(hand, rules, language):
        said += 1
        strange = [word for word in tokens(text.replace(title, "")) if word.lower() in foreign]
        if rules == "schaffkopf":
            strange += [one[0] for one in DOPPELKOPF.finditer(text)]
        found |= {(word, text[:60]) for word in strange}
    assert said > 300
    assert found == set()


@pytest.mark.slow
def test_a_clubs_word_that_is_cut_is_found(hand: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``words check`` measures, at one moment."""
    one = fitting.moments("schaffkopf")[:1]
    monkeypatch.setattr(fitting, "moments", lambda rules: one)
    long = "No vui mehra ois sunst wo, gell, Leitln, schaugts hi"
    path = tmp_path / "bar.po"
    path.write_text(f'msgctxt "screen"\nmsgid "more"\nmsgstr "{long}"\n', encoding="utf-8")
    try:
        assert take_words(tmp_path) == ()
        hand.stage.size(*fitting.SIZE_PX)
        assert fitting.cut_texts(hand.stage, "de", ["schaffkopf"]) == []
        assert fitting.cut_texts(hand.stage, "bar", ["schaffkopf"]) == [long]
    finally:
        put_words({})
        hand.app.speak("de")


def test_a_language_that_a_club_has_added_is_on_the_key(hand: Any, tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[2] / "docs" / "words" / "bar.po", tmp_path)
    try:
        assert take_words(tmp_path) == ()
        hand.show(moments("schaffkopf")[0])
        hand.app.speak("en")
        hand.app.sheets.open("more")
        hand.stage.step(2)
        hand.touch("Boarisch")
        hand.stage.step(2)
        assert hand.app.language == "bar"
        said = "\n".join(written(hand.app))
        assert "No mehra" in said and "Karten dürfen schon gegeben" in said  # what it leaves out is German
        hand.app.sheets.open("more")
        hand.stage.step(2)
        hand.touch("Deutsch")
        assert hand.app.language == "de"
    finally:
        put_words({})
