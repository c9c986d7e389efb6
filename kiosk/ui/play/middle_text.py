"""Write the middle of the table while no trick lies there: who is to speak, or how the game ended."""

from dataclasses import dataclass, replace
from typing import Any

from kiosk.language.rules import rule_says
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.fit import FAR, NEAR, fit_name
from kiosk.ui.parts.look import dp, plain, sp
from kiosk.ui.play.result import reasons, verdict, winners

#: Room for a name in the middle's sentences, and for the next dealer's on a key, in units.
NAME_UNITS, DEALER_UNITS = 170, 110


@dataclass(frozen=True, slots=True, kw_only=True)
class MiddleText:
    """The words of the middle, and of its two keys; a key without a word is not there."""

    title: str = ""
    line: str = ""
    body: str = ""
    warning: str = ""
    left_key: str = ""
    right_key: str = ""
    right_on: bool = True


def middle_text(app: Any, view: TableView) -> MiddleText:
    """Write the middle for a view."""
    text, room = app.words, dp(NAME_UNITS)
    names = {seat: plain(fit_name(name, room, sp(FAR), among=view.names)) for seat, name in enumerate(view.names, 1)}
    dealer = view.next_dealer or next((seat.seat for seat in view.seats if seat.dealer), None)
    dealt_by = plain(fit_name(view.seat(dealer).name, dp(DEALER_UNITS), sp(NEAR), among=view.names)) if dealer else ""
    if view.phase == "waiting":
        deals = text["deals"].format(name=dealt_by) if view.may_deal and dealt_by else ""
        shown = MiddleText(title=text["waiting"], line=text["waiting_hint"], right_key=deals)
    elif view.phase in ("asking", "bidding", "declaring"):
        shown = _finding(app, view, names)
    elif view.phase == "scored" and view.result is not None:
        shown = _scored(app, view, names, dealt_by)
    elif view.phase in ("dealing", "scored") and dealt_by:
        title = text["deals"].format(name=dealt_by)
        shown = MiddleText(title=title, line=_dealing(app, view), right_key=text["deal_key"], right_on=view.may_deal)
    elif view.phase == "over":
        shown = MiddleText(title=app.say("over"), right_key=text["list"])
    else:
        shown = MiddleText()
    return _with_marks(app, view, shown, names)


def _with_marks(app: Any, view: TableView, shown: MiddleText, names: dict[int, str]) -> MiddleText:
    """Add what holds for the next deal: a Bockrunde, and who is vorgeführt."""
    text = app.words
    if view.phase in ("dealing", "scored") and view.doubled and view.next_dealer and not shown.warning:
        shown = replace(shown, warning=text["bock_next"].format(n=view.bock_left))
    if view.must_play and view.phase in ("dealing", "asking", "declaring"):
        shown = replace(shown, line=text["must_play"].format(name=names[view.must_play]))
    return shown


def _scored(app: Any, view: TableView, names: dict[int, str], dealt_by: str) -> MiddleText:
    """How the game ended, and the way to the next one or to the list."""
    text, result = app.words, view.result
    assert result is not None
    line = ""
    if not result.void:
        re, kontra = result.points
        line = text["augen"].format(re=re, kontra=kontra)
        if len(result.re) != 1 and result.won_by in view.book.calls and result.kind != "ramsch":
            line = "  ·  ".join([", ".join(names[seat] for seat in winners(view)), line]).strip(" ·")
    return MiddleText(
        title=verdict(app, view),
        line=line,
        body=reasons(app, view),
        warning=text["result_open"] if result.open else "",
        left_key=text["look_at_tricks"] if result.tricks else "",
        right_key=text["next_game"].format(name=dealt_by) if dealt_by and view.next_dealer else text["list"],
        right_on=view.may_deal or not view.next_dealer,
    )


def _finding(app: Any, view: TableView, names: dict[int, str]) -> MiddleText:
    """Who is to speak while the game is being found."""
    text, say = app.words, app.say
    acting = next((names[seat.seat] for seat in view.seats if seat.turn and not seat.sits_out), "")
    leave = view.leave
    if leave is not None:
        title = text["leave_" + leave.state].format(name=names[leave.seat], game=say(leave.game))
        declares = text["declares"].format(name=names[leave.seat])
        return MiddleText(title=title, line=text["leave_hint"] if leave.state == "asked" else declares)
    if view.must_play:  # nobody can take it from him, so nobody is asked (eppstein 3.2.3)
        return MiddleText(title=text["declares"].format(name=names[view.must_play]))
    if view.phase == "asking":
        return _asking(app, view, acting, names)
    if view.phase == "bidding":
        return MiddleText(title=text["bids"].format(name=acting), line=_highest_bid(app, view, names))
    if acting:
        return MiddleText(title=text["declares"].format(name=acting))
    kinds = {str(game["game"]) for seat in view.seats for game in seat.games}
    section = next((kind.section for kind in view.book.kinds.values() if kind.game in kinds), "")
    return MiddleText(title=text["who_must"], line=rule_says("", app.language, section, view.book.sentences))


def _asking(app: Any, view: TableView, acting: str, names: dict[int, str]) -> MiddleText:
    """Who is asked; a key answers for all who have not, and the first card may say the same."""
    text, say = app.words, app.say
    asks = next((seat.asks for seat in view.seats if seat.turn), ())
    open_words = text["or"].join(say(answer) for answer in asks)
    title = text["asks"].format(name=acting, words=open_words) if asks else say("asking")
    if view.plays is not None:
        title = text["plays_so_far"].format(name=names[view.plays])
    rest = say(view.rest) if view.rest else ""
    return MiddleText(
        title=title,
        line=text["first_card_says"].format(word=rest) if rest and view.rest_by_card else "",
        left_key=text["all_say"].format(word=rest) if rest else "",
    )


def _highest_bid(app: Any, view: TableView, names: dict[int, str]) -> str:
    """The class that has been bid, and by whom; "" while nobody has."""
    classes = view.book.classes
    bids = [(classes.index(seat.bid), seat) for seat in view.seats if seat.bid in classes]
    if not bids:
        return ""
    _, best = max(bids, key=lambda one: one[0])
    return str(app.words["highest_bid"]).format(game=app.say(best.bid), name=names[best.seat])


def _dealing(app: Any, view: TableView) -> str:
    """How the cards are dealt, by the book."""
    text, packets = app.words, view.packets
    if len(set(packets)) == 1:
        how = text["deal_equal"].format(times=len(packets), n=packets[0])
    else:
        how = text["deal_packets"].format(packets=" – ".join(map(str, packets)))
    return str(text["deal_hint"].format(how=how))
