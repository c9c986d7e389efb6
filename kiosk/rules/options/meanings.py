"""Define the meanings of options, one name one meaning in every book; default, values and section are the book's."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from kiosk.rules.options.option import Meaning, Option, Text, Value

_GAMES: Final[Text] = ("Spiele", "games")
_MINUTES: Final[Text] = ("Minuten", "minutes")
_CARDS: Final[Text] = ("Karten", "cards")
_AUGEN: Final[Text] = ("Augen", "Augen")
_POINTS: Final[Text] = ("Punkte", "points")
_EUROS: Final[Text] = ("€", "€")
_TRICKS: Final[Text] = ("Stiche", "tricks")
_ROUNDS: Final[Text] = ("Runden", "rounds")
_SOLI: Final[Text] = ("Pflichtsoli", "Pflichtsoli")
_NINES: Final[Text] = ("Neunen", "nines")
_TRUMPS: Final[Text] = ("Trümpfe", "trumps")
_ALONE: Final[Text] = ("Alleinspiele", "Alleinspiele")
_SEAT: Final[Text] = ("Platz", "seat")
_TIMES: Final[Text] = ("mal", "times")
_ONE: Final[Mapping[Text, Text]] = {
    _GAMES: ("Spiel", "game"),
    _MINUTES: ("Minute", "minute"),
    _CARDS: ("Karte", "card"),
    _AUGEN: ("Auge", "Auge"),
    _POINTS: ("Punkt", "point"),
    _TRICKS: ("Stich", "trick"),
    _ROUNDS: ("Runde", "round"),
    _SOLI: ("Pflichtsolo", "Pflichtsolo"),
    _NINES: ("Neun", "nine"),
    _TRUMPS: ("Trumpf", "trump"),
    _ALONE: ("Alleinspiel", "Alleinspiel"),
}
_OPEN: Final[Mapping[Value, Text]] = {0: ("offen", "open")}
_NONE: Final[Mapping[Value, Text]] = {0: ("keine", "none")}
_PACKETS: Final[Mapping[Value, Text]] = {
    "4x3": ("viermal drei", "four times three"),
    "3x4": ("dreimal vier", "three times four"),
    "2x6": ("zweimal sechs", "twice six"),
    "6x2": ("sechsmal zwei", "six times two"),
    "5x2": ("fünfmal zwei", "five times two"),
    "2x5": ("zweimal fünf", "twice five"),
    "3-4-3": ("drei, vier, drei", "three, four, three"),
    "4x2": ("viermal zwei", "four times two"),
    "2x4": ("zweimal vier", "twice four"),
}


def _meaning(
    chapter: str, german: str, english: str, unit: Text = ("", ""), words: Mapping[Any, Text] | None = None
) -> Meaning:
    return Meaning(
        chapter=chapter,
        told=(german, english),
        unit=unit,
        one=_ONE.get(unit, unit),
        unit_first=unit in (_SEAT, _TIMES),
        words=MappingProxyType(dict(words or {})),
    )


_ROUND: Final = {
    "rounds": _meaning(
        "round",
        "Runden des Turniers.",
        "Rounds of the tournament.",
        _ROUNDS,
        {0: ("so viele die Turnierleitung ansetzt", "as many as the direction sets")},
    ),
    "break_stops_clock": _meaning(
        "round",
        "Ob die Uhr eines Tisches steht, solange er Pause macht.",
        "Whether a table's clock stops while it has a break.",
    ),
    "equal_places": _meaning(
        "round",
        "Was in der Rangliste bei gleicher Punktzahl entscheidet.",
        "What decides in the standing between equal sums.",
        words={
            "shared": ("nichts, sie teilen sich den Platz", "nothing, they share the place"),
            "lot": ("das Los", "the lot"),
            "games_won": ("gewonnene Spiele, dann Alleinspiele, dann das Los", "games won, then solos, then the lot"),
        },
    ),
    "games": _meaning(
        "round", "Spiele einer Runde an einem Vierertisch.", "Games of a round at a table of four.", _GAMES, _OPEN
    ),
    "games_5": _meaning(
        "round", "Spiele einer Runde an einem Fünfertisch.", "Games of a round at a table of five.", _GAMES, _OPEN
    ),
    "minutes": _meaning(
        "round",
        "Reine Spielzeit einer Runde an einem Vierertisch.",
        "Playing time of a round at a table of four.",
        _MINUTES,
        _NONE,
    ),
    "minutes_5": _meaning(
        "round",
        "Reine Spielzeit einer Runde an einem Fünfertisch.",
        "Playing time of a round at a table of five.",
        _MINUTES,
        _NONE,
    ),
    "pflichtsoli": _meaning(
        "round",
        "Pflichtsoli, die jeder Spieler in einer Runde spielen muss.",
        "Pflichtsoli that each player must play in a round.",
        _SOLI,
        _NONE,
    ),
    "first_dealer": _meaning("round", "Der Platz, der zuerst gibt.", "The seat that deals first.", _SEAT),
    "scorer": _meaning(
        "round",
        "Der Platz, der an einem Vierertisch die Liste führt.",
        "The seat that keeps the list at a table of four.",
        _SEAT,
    ),
    "scorer_5": _meaning(
        "round",
        "Der Platz, der an einem Fünfertisch die Liste führt.",
        "The seat that keeps the list at a table of five.",
        _SEAT,
    ),
    "cards": _meaning(
        "round",
        "Karten des Blattes; zehn für jeden von vieren lassen keine andere Zahl zu.",
        "Cards of the pack; ten for each of four leave no other number.",
        _CARDS,
    ),
    "dealing": _meaning("round", "Wie die Karten gegeben werden.", "How the cards are dealt.", words=_PACKETS),
    "same_dealer_after_solo": _meaning(
        "round",
        "Ob nach einem angesagten Solo derselbe noch einmal gibt.",
        "Whether the same dealer deals again after a declared solo.",
        words={
            "four_players": ("nur am Vierertisch", "only at a table of four"),
            "never": ("nie", "never"),
        },
    ),
    "trumpfschwach_dealer": _meaning(
        "round",
        "Wer nach Trumpfschwach gibt.",
        "Who deals after Trumpfschwach.",
        words={"same": ("derselbe noch einmal", "the same dealer anew"), "next": ("der nächste", "the next one")},
    ),
}

_FINDING: Final = {
    "schmeissen_nines": _meaning(
        "finding",
        "So viele Neunen auf der Hand erlauben Schmeißen.",
        "So many nines in hand allow Schmeißen.",
        _NINES,
    ),
    "schmeissen_trumps": _meaning(
        "finding",
        "Wer weniger Trümpfe hat (ohne die Füchse), darf schmeißen.",
        "With fewer trumps (not counting Karo As) one may throw in.",
        _TRUMPS,
    ),
    "trumpfschwach_trumps": _meaning(
        "finding",
        "Mit höchstens so vielen Trümpfen ist man trumpfschwach.",
        "The most trumps with which one is trumpfschwach.",
        _TRUMPS,
    ),
    "klaerung_tricks": _meaning(
        "finding",
        "Unter so vielen ersten Stichen muss der Klärungsstich einer Hochzeit sein.",
        "Among so many first tricks the Klärungsstich of a Hochzeit must be.",
        _TRICKS,
    ),
    "lost_alleinspiele": _meaning(
        "finding",
        "Nach so vielen verlorenen in einer Runde braucht jedes Alleinspiel dieses Spielers die Erlaubnis der "
        "Turnierleitung.",
        "After so many lost in a round every Alleinspiel of that player needs the direction's leave.",
        _ALONE,
    ),
}

_PLAY: Final = {
    "leader_in_solo": _meaning(
        "play",
        "Wer in einem angesagten Solo zum ersten Stich aufspielt.",
        "Who leads to the first trick of a declared solo.",
        words={
            "forehand": ("der linke Nachbar des Gebers", "the dealer's left neighbour"),
            "soloist": ("der Solospieler", "the soloist"),
        },
    ),
    "second_ht": _meaning(
        "play",
        "Wo die zweite Herz 10 die erste sticht.",
        "Where the second Herz 10 beats the first.",
        words={
            "highest_trump": ("wo sie der höchste Trumpf ist", "where it is the highest trump"),
            "any_trump": ("wo sie Trumpf ist", "where it is any trump"),
            "never": ("nirgends", "nowhere"),
        },
    ),
    "karo_in_trumpfsolo": _meaning(
        "play",
        "Ob Karo As, 10 und König im Trumpfsolo Trumpf sind wie im Normalspiel.",
        "Whether Karo As, 10 and König are trumps in a Trumpfsolo as in the normal game.",
    ),
    "words_back": _meaning(
        "play",
        "Wie lange ein Spieler allein zurücknehmen darf, was er gesagt hat.",
        "For how long a player may take back by himself what he said.",
        words={
            "next": ("bis jemand gesprochen oder gelegt hat", "until somebody has spoken or laid"),
            "trick": ("eine Ansage, solange der Stich offen liegt", "an announcement while the trick lies open"),
            "never": ("gar nicht: Gesagt ist gesagt", "not at all: what is said is said"),
        },
    ),
    "tell_augen": _meaning(
        "play",
        "Ob der Bildschirm während des Spiels die Augen eines Stichs nennt.",
        "Whether the screen tells the Augen of a trick while the game runs.",
    ),
    "tell_tricks": _meaning(
        "play",
        "Ob der Bildschirm während des Spiels zeigt, wie viele Stiche jeder hat.",
        "Whether the screen shows how many tricks each has while the game runs.",
    ),
    "tell_sides": _meaning(
        "play",
        "Ob der Bildschirm zeigt, wer mit wem spielt, sobald es erwiesen ist.",
        "Whether the screen shows who plays with whom once it is proved.",
    ),
    "after_davonlaufen": _meaning(
        "play",
        "Was nach dem Davonlaufen für die gerufene Karte gilt.",
        "What holds for the called card after davonlaufen.",
        words={
            "free": ("sie ist ganz frei", "it is free altogether"),
            "lay_only": ("sie darf gelegt werden, ist sonst gebunden", "it may be laid and is bound otherwise"),
        },
    ),
    "unlawful_davonlaufen_frees": _meaning(
        "play",
        "Ob auch ein unerlaubtes Davonlaufen, das niemand reklamiert, die gerufene Karte frei macht.",
        "Whether an unlawful davonlaufen that nobody claims frees the called card as a lawful one does.",
    ),
    "davonlaufen_ace": _meaning(
        "play",
        "Mit so vielen Karten der Ruffarbe, das gerufene As mitgezählt, darf man davonlaufen.",
        "Cards of the suit in hand, the called ace included, that allow davonlaufen.",
        _CARDS,
    ),
    "davonlaufen_ten": _meaning(
        "play",
        "Mit so vielen Karten der Ruffarbe, die gerufene 10 mitgezählt, darf man davonlaufen.",
        "Cards of the suit in hand, the called ten included, that allow davonlaufen.",
        _CARDS,
    ),
    "davonlaufen_king": _meaning(
        "play",
        "Mit so vielen Karten der Ruffarbe, den gerufenen König mitgezählt, darf man davonlaufen.",
        "Cards of the suit in hand, the called king included, that allow davonlaufen.",
        _CARDS,
    ),
}


def _limit(german: str, english: str) -> Meaning:
    return _meaning(
        "calls",
        f"Mit mindestens so vielen Karten in der Hand darf man {german} sagen.",
        f"The fewest cards in hand with which {english} may be said.",
        _CARDS,
    )


_CALLS: Final = {
    "limit_ansage": _limit("Re oder Kontra", "Re or Kontra"),
    "limit_keine90": _limit("keine 90", "keine 90"),
    "limit_keine60": _limit("keine 60", "keine 60"),
    "limit_keine30": _limit("keine 30", "keine 30"),
    "limit_schwarz": _limit("schwarz", "schwarz"),
    "reply_cards": _meaning(
        "calls",
        "Um so viele Karten darf eine Erwiderung später kommen, als die Ansage der Gegenpartei erlaubt war.",
        "By so many cards a reply may come later than the other side's announcement was allowed.",
        _CARDS,
    ),
    "re_until": _meaning(
        "calls",
        "Bis zu dieser Karte auf dem Tisch darf Re gesagt werden.",
        "The card on the table until which Re may be said.",
    ),
    "others_until": _meaning(
        "calls",
        "Bis zu dieser Karte auf dem Tisch dürfen Kontra, Absagen und Bock gesagt werden.",
        "The card on the table until which Kontra, Absagen and Bock may be said.",
    ),
    "all_until": _meaning(
        "calls",
        "Bei dieser Karte auf dem Tisch muss alles gesagt sein.",
        "The card on the table by which everything must be said.",
    ),
    "until_card": _meaning(
        "calls",
        "Was „bis zur 5. (9.) Karte“ heißt.",
        "What 'until the 5th (9th) card' means.",
        words={
            "touches": ("bis sie den Tisch berührt", "until it touches the table"),
            "lies": ("solange sie als letzte liegt", "while it is the last that lies"),
        },
    ),
    "bock_by": _meaning(
        "calls",
        "Wer Bock sagen darf, wenn Re und Kontra gesagt sind.",
        "Who may say Bock when Re and Kontra stand.",
        words={
            "either": ("beide Parteien", "either side"),
            "first_side": ("nur die Partei, die zuerst angesagt hat", "only the side that announced first"),
        },
    ),
    "leaving_out_steps": _meaning(
        "calls", "Ob eine Absage Stufen auslassen darf.", "Whether an Absage may leave out steps."
    ),
    "duty_call_augen": _meaning(
        "calls",
        "Wer einen ersten Stich mit so vielen Augen oder mehr macht, muss ansagen.",
        "Augen of a first trick from which on its owner must announce.",
        _AUGEN,
    ),
    "duty_call_in_hochzeit": _meaning(
        "calls",
        "Welcher Stich einer angemeldeten Hochzeit die Pflichtansage bringt.",
        "Which trick of an announced Hochzeit brings the duty to announce.",
        words={
            "klaerungsstich": ("der Klärungsstich", "the Klärungsstich"),
            "first_trick": ("der erste Stich", "the first trick"),
            "none": ("keiner", "none"),
        },
    ),
    "duty_call_falls_away": _meaning(
        "calls",
        "Ob die Pflichtansage entfällt, wenn die Partei schon gesprochen hat.",
        "Whether the duty to announce falls away once the owner's side has spoken.",
    ),
    "duty_call_until": _meaning(
        "calls",
        "Bis wann die Pflichtansage gemacht werden muss.",
        "Until when one may do the duty to announce.",
        words={
            "limit": ("bis zur eigenen Grenze für Re und Kontra", "until one's own limit for Re and Kontra"),
            "next_card": ("bis zur nächsten Karte", "until the next card"),
        },
    ),
}

_SCORING: Final = {
    "win_points": _meaning(
        "scoring",
        "Mit so vielen Augen hat die Spielerpartei (Re) gewonnen; in den Fällen, die das Buch nennt, die andere.",
        "Augen with which the playing side (Re) wins; in the cases that the book names the other side.",
        _AUGEN,
    ),
    "schneider_points": _meaning(
        "scoring",
        "Bis zu so vielen Augen ist die Spielerpartei Schneider, die andere nur darunter; im Muss-Spiel umgekehrt.",
        "Up to so many Augen the playing side is Schneider, the others only below; in a Muss-Spiel vice versa.",
        _AUGEN,
    ),
    "bound_side_must_reach": _meaning(
        "scoring",
        "Ob eine Partei, die selbst abgesagt hat, nur gewinnt, wenn sie das erreicht, auch gegen schwarz.",
        "Whether a side bound by its own Absage wins only by reaching it, also against schwarz.",
    ),
    "exact_against_absage": _meaning(
        "scoring",
        "Ob gegen keine 90 (60, 30) auch für Re genau so viele Augen reichen, nicht erst 91 (61, 31).",
        "Whether against keine 90 (60, 30) exactly so many Augen are enough for Re too, not only 91 (61, 31).",
    ),
    "nobody_has_won": _meaning(
        "scoring",
        "Was geschrieben wird, wenn beide Parteien ihre Absage verfehlen.",
        "What is written where both sides fail their Absage.",
        words={
            "nothing": ("nichts, der Schiedsrichter wird gefragt", "nothing, the referee is asked"),
            "net": ("der Saldo der übrigen Punkte", "the net of the other points"),
        },
    ),
    "value_won": _meaning("scoring", "Was Gewonnen zählt.", "What winning counts.", _POINTS),
    "value_against_queens": _meaning(
        "scoring", "Was „gegen die Kreuz Damen“ zählt.", "What 'gegen die Kreuz Damen' counts.", _POINTS
    ),
    "against_queens_in_solo": _meaning(
        "scoring",
        "Ob „gegen die Kreuz Damen“ auch im Solo zählt.",
        "Whether 'gegen die Kreuz Damen' counts in a solo too.",
    ),
    "value_under": _meaning(
        "scoring", "Was unter 90, 60 und 30 je zählt.", "What under 90, 60 and 30 count each.", _POINTS
    ),
    "value_schneider": _meaning("scoring", "Was Schneider zählt.", "What Schneider adds to the value.", _POINTS),
    "value_schwarz": _meaning(
        "scoring", "Was schwarz noch dazu zählt.", "What schwarz adds to the value besides.", _POINTS
    ),
    "value_absage": _meaning("scoring", "Was jede Absage zählt.", "What each Absage counts.", _POINTS),
    "value_reached": _meaning(
        "scoring",
        "Was 120 (90, 60, 30) Augen gegen keine 90 (60, 30, schwarz) zählen.",
        "What 120 (90, 60, 30) Augen against keine 90 (60, 30, schwarz) count.",
        _POINTS,
    ),
    "value_re_kontra": _meaning(
        "scoring", "Was Re und Kontra je dazu zählen.", "What Re and Kontra add each.", _POINTS
    ),
    "factor_re_kontra": _meaning(
        "scoring", "Womit Re und Kontra je malnehmen.", "By what Re and Kontra each multiply.", _TIMES
    ),
    "factor_bock": _meaning("scoring", "Womit Bock malnimmt.", "By what Bock multiplies.", _TIMES),
    "bockrunde": _meaning(
        "scoring",
        "Wie viele Spiele ein Herz-Stich zu Bockspielen macht.",
        "How many games a Herz trick makes count more.",
        words={
            "table": ("so viele wie Spieler am Tisch", "one of each player at the table"),
            "four": ("vier", "four"),
            "none": ("keine", "none"),
        },
    ),
    "factor_bockrunde": _meaning(
        "scoring",
        "Womit ein Spiel der Bockrunde malgenommen wird.",
        "By what a game of a Bockrunde is multiplied.",
        _TIMES,
    ),
    "doppelkopf_augen": _meaning(
        "scoring",
        "Ein Stich mit so vielen Augen oder mehr ist ein Doppelkopf.",
        "A trick of so many Augen or more is a Doppelkopf.",
        _AUGEN,
    ),
    "value_doppelkopf": _meaning("scoring", "Was ein Doppelkopf zählt.", "What a Doppelkopf counts.", _POINTS),
    "value_fuchs": _meaning("scoring", "Was ein gefangener Fuchs zählt.", "What a fox caught counts.", _POINTS),
    "value_karlchen": _meaning(
        "scoring", "Was Karlchen im letzten Stich zählt.", "What Karlchen winning the last trick counts.", _POINTS
    ),
    "value_fuchs_last": _meaning(
        "scoring",
        "Was ein Fuchs zählt, der den letzten Stich macht.",
        "What a fox winning the last trick counts.",
        _POINTS,
    ),
    "value_dulle": _meaning(
        "scoring", "Was eine herausgezogene zweite Dulle zählt.", "What a second Dulle caught counts.", _POINTS
    ),
    "second_dulle": _meaning(
        "scoring",
        "Wessen zweite Herz 10, im selben Stich von der ersten gefangen, einen Sonderpunkt bringt.",
        "Whose second Herz 10, caught in one trick with the first, is a special point.",
        words={
            "other_side": ("die der Gegenpartei", "the other side's"),
            "any": ("jede", "anyone's"),
        },
    ),
    "losers_special_points": _meaning(
        "scoring",
        "Was aus den Sonderpunkten der Verlierer wird.",
        "What becomes of the losers' special points.",
        words={
            "set_off": ("sie werden verrechnet", "they are set off"),
            "ignored": ("sie zählen nicht", "they are ignored"),
            "each_side": ("sie werden ihnen geschrieben", "they are written to them"),
        },
    ),
    "factor_solo": _meaning(
        "scoring",
        "Wie oft der Solospieler die Punkte bekommt.",
        "How many times the points a soloist is written.",
        _TIMES,
    ),
    "bonus": _meaning("scoring", "Bonuspunkte jedes Gewinners.", "Bonuspunkte of each winner.", _POINTS),
    "lost_solo_bonus": _meaning(
        "scoring",
        "Bonuspunkte, die ein verlorenes Solo den Solospieler kostet.",
        "Bonuspunkte that a lost solo costs the soloist.",
        _POINTS,
    ),
    "value_sie": _meaning("scoring", "Wert eines Sie.", "Value of a Sie.", _POINTS),
    "value_tout": _meaning(
        "scoring", "Wert von Solo-Tout und Wenz-Tout.", "Value of Solo-Tout and Wenz-Tout.", _POINTS
    ),
    "value_solo": _meaning("scoring", "Wert eines Solos.", "Value of a Solo.", _POINTS),
    "value_wenz": _meaning("scoring", "Wert eines Wenz.", "Value of a Wenz.", _POINTS),
    "value_rufspiel": _meaning("scoring", "Wert eines Rufspiels.", "Value of a Rufspiel.", _POINTS),
    "value_muss": _meaning("scoring", "Wert eines Muss-Spiels.", "Value of a Muss-Spiel.", _POINTS),
}

_OFFENCES: Final = {
    "minor_penalty": _meaning(
        "offences", "Strafpunkte für einen geringfügigen Verstoß.", "Strafpunkte of a minor breach.", _POINTS
    ),
    "minor_penalty_opponent": _meaning(
        "offences",
        "Strafpunkte für einen geringfügigen Verstoß, der dem Solospieler schaden konnte; er bekommt sie.",
        "Strafpunkte of a minor breach that may have harmed the soloist, who gets them.",
        _POINTS,
    ),
    "serious_penalty": _meaning(
        "offences",
        "Strafpunkte für einen schwerwiegenden Verstoß.",
        "Strafpunkte of a serious breach.",
        _POINTS,
        {0: ("was der Schiedsrichter einträgt", "what the referee enters")},
    ),
    "serious_penalty_opponent": _meaning(
        "offences",
        "Strafpunkte für einen schwerwiegenden Verstoß eines Gegners im Solo; der Solospieler bekommt sie.",
        "Strafpunkte of a serious breach by a soloist's opponent; the soloist gets them.",
        _POINTS,
    ),
    "serious_penalty_step": _meaning(
        "offences",
        "Um so viel erhöht sie jede Absage der Gegenpartei bis dahin.",
        "What each Absage of the other side so far adds to the Strafpunkte of a serious breach.",
        _POINTS,
    ),
    "revoke_in_time": _meaning(
        "offences",
        "Wann der Stich nach einem falschen Bedienen zu Ende ist.",
        "When the trick after a revoke has ended.",
        words={
            "next_card": ("wenn die nächste Karte angespielt wird", "when the next card is led"),
            "fourth_card": ("mit seiner vierten Karte", "with its fourth card"),
        },
    ),
}

_FINES: Final = (
    ("", "erste", "first"),
    ("_second", "zweite", "second"),
    ("_third", "dritte", "third"),
    ("_fourth", "vierte", "fourth"),
)

_MONEY: Final = {
    "revoke_euros": _meaning(
        "money", "Für falsches Bedienen an jeden Mitspieler.", "Euros to each other player for a revoke.", _EUROS
    ),
    "revoke_to_soloist": _meaning(
        "money",
        "Für falsches Bedienen eines Gegners an den Solospieler, wenn es keine Ansage gab.",
        "Euros of an opponent's revoke to the soloist without an Ansage.",
        _EUROS,
    ),
    "revoke_to_soloist_after_one": _meaning(
        "money",
        "Für falsches Bedienen eines Gegners an den Solospieler, wenn es eine Ansage gab.",
        "Euros of an opponent's revoke to the soloist after one Ansage.",
        _EUROS,
    ),
    "revoke_to_soloist_after_two": _meaning(
        "money",
        "Für falsches Bedienen eines Gegners an den Solospieler, wenn es zwei Ansagen gab.",
        "Euros of an opponent's revoke to the soloist after two Ansagen.",
        _EUROS,
    ),
    **{
        f"late_from{which}": _meaning(
            "money",
            f"Ab so vielen vollen Minuten Verspätung wird die {german} Strafe fällig.",
            f"Whole minutes late from which on the {english} fine is due.",
            _MINUTES,
        )
        for which, german, english in _FINES
    },
    **{
        f"late_euros{which}": _meaning(
            "money",
            f"Die {german} Strafe fürs Zu-spät-Kommen, an den Club.",
            f"The {english} fine for coming late, to the club.",
            _EUROS,
        )
        for which, german, english in _FINES
    },
}

#: By the option's name.
MEANINGS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {**_ROUND, **_FINDING, **_PLAY, **_CALLS, **_SCORING, **_OFFENCES, **_MONEY}
)


def option(name: str, default: Value, values: Sequence[Value], section: str) -> Option:
    """Make an option of a book; its meaning stands in :data:`MEANINGS`."""
    return Option(name=name, default=default, values=values, section=section, about=MEANINGS[name])
