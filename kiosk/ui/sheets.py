"""Every sheet by the name under which it is opened."""

from kiosk.ui.breach import BreachSheet, ComplainSheet
from kiosk.ui.calls import AnswersSheet, BidSheet, CallsSheet, ClaimSheet, SaidSheet
from kiosk.ui.correct import CorrectSheet, DoubtSheet, LaySheet, MissingSheet, WhoseSheet
from kiosk.ui.declare import DeclareSheet
from kiosk.ui.film import FilmSheet
from kiosk.ui.lesson import TeachSheet
from kiosk.ui.look import Sheet
from kiosk.ui.more import (
    DirectionSheet,
    FinishSheet,
    MoreSheet,
    NewcomerSheet,
    ReplaceSheet,
    StrikeSheet,
    SwapSheet,
    VoidSheet,
)
from kiosk.ui.ruling import GateSheet, RulingSheet
from kiosk.ui.seats import NameSheet
from kiosk.ui.tricks import LastTrickSheet, TricksSheet

KINDS: dict[str, type[Sheet]] = {
    "answers": AnswersSheet,
    "bid": BidSheet,
    "breach": BreachSheet,
    "calls": CallsSheet,
    "claim": ClaimSheet,
    "complain": ComplainSheet,
    "correct": CorrectSheet,
    "declare": DeclareSheet,
    "direction": DirectionSheet,
    "doubt": DoubtSheet,
    "film": FilmSheet,
    "finish": FinishSheet,
    "last": LastTrickSheet,
    "lay": LaySheet,
    "missing": MissingSheet,
    "more": MoreSheet,
    "name": NameSheet,
    "newcomer": NewcomerSheet,
    "referee": GateSheet,
    "replace": ReplaceSheet,
    "ruling": RulingSheet,
    "said": SaidSheet,
    "strike": StrikeSheet,
    "swap": SwapSheet,
    "teach": TeachSheet,
    "tricks": TricksSheet,
    "void": VoidSheet,
    "whose": WhoseSheet,
}
