"""Convert between the protocol's bodies (JSON objects) and the table's events by one table.

``decode`` checks what can be seen without the round: the event is known, its keys are there and of the right kind.
Whether it can happen where it stands is the fold's matter. What was read is written again byte for byte: a decoded
event carries its body, unknown keys and their order included.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from math import isfinite
from sys import intern
from typing import Any, ParamSpec, TypeVar

from kiosk.errors import BadEvent, Refused, shorten
from kiosk.rules.engine.money import is_amount
from kiosk.table.events.checks import (
    are_names,
    are_numbers,
    are_seats,
    are_seats_of_cards,
    are_texts,
    are_two_seats,
    by_seat,
    is_count,
    is_flag,
    is_line_number,
    is_name,
    is_number,
    is_object,
    is_person,
    is_place,
    is_seat,
    is_text,
    is_time,
    is_whole,
    one_of,
    or_null,
)
from kiosk.table.events.values import (
    WORDS,
    AnswerForRest,
    AskingAnswered,
    BidMade,
    Body,
    BreakBegun,
    BreakEnded,
    CallAnnounced,
    CardCorrected,
    CardInserted,
    CardPlayed,
    CardRetracted,
    CardsReseated,
    Consent,
    DealVoided,
    Event,
    FinishGame,
    GameClaimed,
    GameDealt,
    GameDeclared,
    GameStruck,
    HandScanned,
    LeaveDecided,
    ListHandedIn,
    ListSigned,
    ObjectionRaised,
    PlayerSubstituted,
    PlayingTimeEnded,
    Request,
    RoundOpened,
    RoundReleased,
    RulingGiven,
    SeatNamed,
    SeatsSwapped,
    TableEvent,
    TableRequest,
    WordCorrected,
)

#: Version of the protocol.
FORMAT = 1
CALLS = (
    *("re", "kontra", "keine90", "keine60", "keine30", "schwarz", "bock"),
    *("klopfen", "schweinchen", "hyperschweinchen"),
)
CLASSES = ("none", "minor", "serious", "decided", "custom")

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made", bound=Event)


def parse(line: str) -> Event:
    """Parse one line of JSON into the event that it holds.

    :raises BadEvent: if it is not an event.
    """
    return decode(parse_json(line))


def parse_json(line: str) -> Any:
    """Parse one line of JSON, its shape not checked.

    :raises BadEvent: if it is not JSON.
    """
    try:
        body = _decoder.decode(line)
        if "\\u" in line:
            json.dumps(body, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise BadEvent(f"not JSON: {error}") from error
    return body


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is too large")
    return number


_decoder = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)


def format_body(body: Body) -> str:
    """Format an event's body as one line of JSON, without line end."""
    return json.dumps(body, ensure_ascii=False)


def decode(body: object, keep: bool = True) -> Event:
    """Check the shape of a body and return its event.

    :param keep: the event holds its body.
    :raises BadEvent: naming the key and the value that is wrong.
    """
    if not isinstance(body, dict):
        raise BadEvent(f"an event is an object, not {shorten(body)}")
    name: Any = body.get("event")
    shape = _SHAPES.get(name) if isinstance(name, str) else None
    if shape is None:
        raise BadEvent(f"unknown event {shorten(name)}; known are {', '.join(_SHAPES)}")
    values: dict[str, Any] = {}
    known = shape.known
    for key, value in body.items():
        if key in known:
            fits, field, to_value = known[key]
            if fits(value):
                values[field] = value if to_value is None else to_value(value)
            elif shape.keys[key].words:
                raise _wrong(name, shape, body)
    if not shape.needed <= body.keys():
        raise _wrong(name, shape, body)
    kind = _kind_of_correction(values) if len(shape.kinds) > 1 else shape.kinds[0]
    event: Event = _made(kind, values, body if keep else None)
    return event


def _wrong(name: str, shape: "_Shape", body: Body) -> BadEvent:
    """What is wrong with a body first, in the order of its event's keys."""
    for key, wanted in shape.keys.items():
        if key not in body:
            if wanted.needed:
                return BadEvent(f"{name}: needs the key {key!r}, {wanted.words}")
        elif wanted.words and not wanted.fits(body[key]):
            return BadEvent(f"{name}: {key!r} must be {wanted.words}, not {shorten(body[key])}")
    raise AssertionError(f"nothing is wrong with {body}")


def decode_opening(body: object) -> RoundOpened:
    """Check the shape of a round's first event.

    :raises BadEvent: it is another one, or malformed.
    """
    event = decode(body)
    if not isinstance(event, RoundOpened):
        raise BadEvent(f"{event.name}: the first event must be open")
    return event


def _kind_of_correction(values: Mapping[str, Any]) -> type[TableEvent]:
    """Which of the corrections a body means."""
    if "seats" in values:
        return CardsReseated
    if "word" in values:
        if "of" not in values:
            raise BadEvent("correct: a word is corrected by naming its event ('of')")
        return WordCorrected
    if ("of" in values) == ("after" in values) or "card" not in values:
        raise BadEvent(
            "correct: correct needs 'card' and either 'of', a card's event, or 'after', the event before a card "
            "nobody saw"
        )
    if "of" in values:
        return CardCorrected
    if values["card"] is None or "seat" not in values:
        raise BadEvent("correct: a card that nobody saw needs its seat and card")
    return CardInserted


def _made(kind: type[TableEvent], values: Mapping[str, Any], body: Body | None) -> Any:
    """An event with these fields and the defaults of the others; those of another kind are left out.

    The fields are set directly: by its own constructor a frozen dataclass takes twice the time of all the rest.
    """
    event = object.__new__(kind)
    for field, put, default in _FIELDS[kind]:
        put(event, values.get(field, default))
    _PUT_BODY(event, body)
    return event


def encode(event: TableEvent) -> dict[str, Any]:
    """Encode the body of an event: the one it was decoded from, else its fields without the empty ones."""
    if event.body is not None:
        return dict(event.body)
    body: dict[str, Any] = {"event": event.name}
    for key, field, default, to_json in _TEXTS[type(event)]:
        value = getattr(event, field)
        if default is MISSING or value != default:
            body[key] = value if to_json is None else to_json(value)
    return body


#: Nobody stands behind it but who asks for it.
NOBODY = Consent()


def spell_out(kind: Callable[_Given, _Made], /, *args: _Given.args, **given: _Given.kwargs) -> _Made:
    """Make an event whose body names all that is given, in that order, defaults too."""
    event = kind(*args, **given)
    keys = {field: (key, to_json) for key, field, _, to_json in _TEXTS[type(event)]}
    body: dict[str, Any] = {"event": event.name}
    for field, value in given.items():
        key, to_json = keys[field]
        body[key] = value if to_json is None else to_json(value)
    return replace(event, body=body)


def request_for(kind: Callable[_Given, Event], /, *args: _Given.args, **given: _Given.kwargs) -> Request:
    """Make the request to note an event; its body is spelled out."""
    return Request(event=spell_out(kind, *args, **given))


def decode_request(body: object, consent: Consent = NOBODY) -> TableRequest:
    """Check the shape of a request of a person or the direction; its time is the table's own.

    :param consent: who stands behind it; a text cannot say so.
    :raises Refused: it is nothing that can be asked for.
    """
    name = body.get("event") if isinstance(body, dict) else None
    if name == "finish":
        return FinishGame(consent)
    if name == "rest":
        return AnswerForRest(consent)
    if not isinstance(body, dict) or name not in REQUESTS:
        raise Refused("bad_request", "", f"unknown request {shorten(name)}; known are {', '.join(REQUESTS)}")
    try:
        event = decode({key: value for key, value in body.items() if key not in ("at", "anyway")})
    except BadEvent as error:
        raise Refused("bad_request", "", str(error)) from error
    return Request(event=event, anyway=bool(body.get("anyway")), consent=consent)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    """A key of a body and the field that it becomes."""

    fits: Callable[[Any], bool]
    words: str  # what it must be, for the message; "": a value that does not fit is passed over
    needed: bool = False
    field: str = ""  # "": named as the key
    to_value: Callable[[Any], Any] | None = None
    to_json: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """The keys of an event that are looked at; others are kept and ignored."""

    kinds: tuple[type[TableEvent], ...]
    keys: Mapping[str, _Key]
    # What decoding needs of these, at hand:
    known: Mapping[str, tuple[Callable[[Any], bool], str, Callable[[Any], Any] | None]]  # check, field, to value
    needed: frozenset[str]


def _need(fits: Callable[[Any], bool], words: str) -> _Key:
    return _Key(fits=fits, words=words, needed=True)


def _may(fits: Callable[[Any], bool], words: str) -> _Key:
    return _Key(fits=fits, words=words)


def _tuple(key: _Key, field: str = "") -> _Key:
    """A list that becomes a tuple; null is as good as none."""
    return replace(key, field=field, to_value=lambda value: tuple(value or ()), to_json=list)


def _numbered(key: _Key) -> _Key:
    """An object whose keys are numbers."""
    return replace(
        key,
        to_value=lambda value: value if value is None else {int(number): one for number, one in value.items()},
        to_json=lambda value: value if value is None else {str(number): one for number, one in value.items()},
    )


def _if(fits: Callable[[Any], bool]) -> _Key:
    """A key that only tells where a reading came from: what does not fit is passed over."""
    return _Key(fits=fits, words="")


def _event(*kinds: type[TableEvent], **keys: _Key) -> tuple[str, _Shape]:
    named = {_PYTHON_WORDS.get(key, key): wanted for key, wanted in {**keys, **_OF_ALL}.items()}
    return kinds[0].name, _Shape(
        kinds=kinds,
        keys=named,
        known={key: (wanted.fits, wanted.field or key, wanted.to_value) for key, wanted in named.items()},
        needed=frozenset(key for key, wanted in named.items() if wanted.needed),
    )


def _is_word(value: object) -> bool:
    return isinstance(value, dict) and value.get("event") in _WORD_NAMES


def _to_word(body: object) -> Event | None:
    return None if body is None else decode(body)


def _of_word(word: TableEvent | None) -> dict[str, Any] | None:
    return None if word is None else encode(word)


#: Names of what can be said, so that a correction inside a correction is no word.
_WORD_NAMES = frozenset(kind.name for kind in WORDS)

_PYTHON_WORDS = {"class_": "class", "raise_": "raise"}
#: Keys that every event may carry, the last ones of its body.
_OF_ALL = {"order_number": _if(is_count), "sign_anew": _if(is_flag), "at": _may(is_time, "milliseconds since 1970")}
_SEAT = _need(is_seat, "a seat (a number from 1)")
_CARD = replace(_need(is_text, "a card like 'HT'"), to_value=intern)  # one text for all tables
_WHY = _may(or_null(is_text), "a text")

#: Every event of the protocol: its class, and its keys in the order in which they are checked and written.
_SHAPES: dict[str, _Shape] = dict(
    (
        _event(
            RoundOpened,
            format=_need(lambda value: type(value) is int and value == FORMAT, str(FORMAT)),
            rules=_need(is_text, "a rule set's name"),
            table=_may(is_whole, "a number"),
            round=_may(is_whole, "a number"),
            players=_tuple(_need(are_names, "a list of names")),
            options=_may(is_object, "an object of options by name"),
            minutes=_may(or_null(is_number), "minutes of playing time"),
            substitutes=_tuple(_may(are_seats, "a list of seats")),
            tournament=_if(is_text),
            book=_may(or_null(is_object), "a club's own book"),
        ),
        _event(RoundReleased),
        _event(GameDealt, dealer=_SEAT),
        _event(HandScanned, seat=_SEAT, cards=_tuple(_need(are_texts, "a list of cards"))),
        _event(
            AskingAnswered,
            seat=_SEAT,
            call=_need(is_text, "a word of the asking"),
            implied=_may(is_flag, "true or false"),
        ),
        _event(BidMade, seat=_SEAT, class_=replace(_need(or_null(is_text), "a class or null"), field="game")),
        _event(
            GameDeclared,
            seat=_SEAT,
            game=_need(is_text, "a game's name"),
            duty=_may(is_flag, "true or false"),
            suit=_may(or_null(is_text), "a suit"),
            card=_may(or_null(is_text), "a card"),
            renonce=_may(is_flag, "true or false"),
            condition=_may(or_null(is_text), "a condition"),
            raise_=_tuple(_may(or_null(are_texts), "a list of calls"), "raised"),
            ahead=_may(is_flag, "true or false"),
            partner=_may(or_null(is_seat), "a seat (a number from 1)"),
            trumps=_may(or_null(is_count), "a number of trumps"),
        ),
        _event(LeaveDecided, seat=_SEAT, granted=_may(is_flag, "true or false")),
        _event(
            CallAnnounced,
            seat=_SEAT,
            call=_need(one_of(*CALLS), "one of " + " ".join(CALLS)),
            side=_may(or_null(one_of("re", "kontra")), "re or kontra"),
            together=_may(is_flag, "true or false"),
        ),
        _event(
            CardPlayed,
            seat=_SEAT,
            place=_tuple(_if(is_place)),
            margin=_if(is_number),
            sure=_if(is_number),
            arm=_tuple(_if(is_place)),
            card=_CARD,
            down=_may(is_flag, "true or false"),
            doubt=_tuple(_may(are_texts, "a list of cards")),
            unseen=_if(is_flag),
            rivals=_tuple(_if(are_texts)),
            scores=_tuple(_if(are_numbers)),
        ),
        _event(CardRetracted, seat=_SEAT, card=_CARD),
        _event(
            *(CardCorrected, CardInserted, CardsReseated, WordCorrected),
            of=_may(is_line_number, "the number of an event"),
            after=_may(is_line_number, "the number of an event"),
            seat=_may(is_seat, "a seat (a number from 1)"),
            card=_may(or_null(is_text), "a card, or null if there was none"),
            seats=_numbered(_may(are_seats_of_cards, "seats by the numbers of cards' events")),
            perhaps=_numbered(_may(are_seats_of_cards, "seats by the numbers of cards' events")),
            at_once=_may(is_flag, "true or false"),
            place=_tuple(_if(is_place)),
            sure=_if(is_number),
            arm=_tuple(_if(is_place)),
            doubt=_tuple(_if(are_texts)),
            unseen=_if(is_flag),
            down=_if(is_flag),
            rivals=_tuple(_if(are_texts)),
            scores=_tuple(_if(are_numbers)),
            word=replace(
                _may(or_null(_is_word), "an event that is said, or null"), to_value=_to_word, to_json=_of_word
            ),
            by=_may(is_person, "'seat N', table, all, composition, camera, referee or direction"),
            agreed=_tuple(_may(are_seats, "a list of seats")),
            why=_WHY,
            margin=_if(is_number),
        ),
        _event(
            GameClaimed,
            seat=_SEAT,
            kind=_need(one_of("rest", "concede"), "rest or concede"),
            order=_tuple(_may(are_texts, "a list of cards")),
            accepted=_may(is_flag, "true or false"),
            contested=_may(or_null(is_seat), "a seat (a number from 1)"),
        ),
        _event(
            ObjectionRaised,
            seat=_SEAT,
            against=_may(or_null(is_seat), "a seat (a number from 1)"),
            code=_may(or_null(is_text), "an offence code"),
            breach=_may(or_null(is_line_number), "the number of an event"),
        ),
        _event(
            RulingGiven,
            offender=_may(or_null(is_seat), "a seat or null"),
            class_=replace(_need(one_of(*CLASSES), "one of " + " ".join(CLASSES)), field="kind"),
            breach=_may(or_null(is_line_number), "the number of an event"),
            harms_soloist=_may(is_flag, "true or false"),
            scores=_numbered(_may(or_null(by_seat(is_whole)), "points by seat")),
            fines=_numbered(_may(or_null(by_seat(is_amount)), "euros, to the cent, by seat")),
            minutes=_may(or_null(is_number), "minutes"),
            resume=_may(is_flag, "true or false"),
            answers=_may(is_flag, "true or false"),
            why=_if(is_text),
        ),
        _event(DealVoided, why=_WHY),
        _event(GameStruck, game=_need(is_whole, "a game's running number"), replay=_may(is_flag, "true or false")),
        _event(PlayingTimeEnded),
        _event(ListSigned, seat=_SEAT),
        _event(
            PlayerSubstituted,
            seat=_SEAT,
            player=_need(is_name, "a name"),
            ranked=_may(is_flag, "true or false"),
        ),
        _event(BreakBegun),
        _event(BreakEnded),
        _event(SeatNamed, seat=_SEAT, player=_need(is_name, "a name")),
        _event(SeatsSwapped, seats=_tuple(_need(are_two_seats, "two seats"))),
        _event(ListHandedIn),
    )
)

#: The events of the protocol by name.
NAMES = tuple(_SHAPES)

#: Those that somebody can ask for.
REQUESTS = tuple(name for name in NAMES if name != "open")

#: The fields of each class with their defaults.
_DEFAULTS: dict[type[TableEvent], dict[str, Any]] = {
    kind: {one.name: one.default if one.default_factory is MISSING else one.default_factory() for one in fields(kind)}
    for shape in _SHAPES.values()
    for kind in shape.kinds
}

#: How each field of a class is set, with its default.
_FIELDS: dict[type[TableEvent], tuple[tuple[str, Callable[[Any, Any], None], Any], ...]] = {
    kind: tuple((name, getattr(kind, name).__set__, default) for name, default in defaults.items() if name != "body")
    for kind, defaults in _DEFAULTS.items()
}

_PUT_BODY: Callable[[TableEvent, Any], None] = TableEvent.__dict__["body"].__set__

_Text = tuple[str, str, Any, Callable[[Any], Any] | None]  # key, field, default, to JSON


def _texts(kind: type[TableEvent], shape: _Shape) -> tuple[_Text, ...]:
    defaults = _DEFAULTS[kind]
    return tuple(
        (key, field, MISSING if wanted.needed else defaults[field], wanted.to_json)
        for key, wanted in shape.keys.items()
        if (field := wanted.field or key) in defaults
    )


#: What of each class is written, and how.
_TEXTS: dict[type[TableEvent], tuple[_Text, ...]] = {
    kind: _texts(kind, shape) for shape in _SHAPES.values() for kind in shape.kinds
}
