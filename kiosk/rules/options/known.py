"""Define the chapter and the unit of every option, one name one meaning in every book; what it means stands in the
catalogues (``kiosk/language``, subject ``options``); default, values and section are the book's."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from kiosk.rules.options.option import Option, Value

#: By chapter, in the order in which they are shown: every option with the unit of its number (subject
#: ``option_units``), "" without one.
_UNITS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "round": {
            "rounds": "rounds",
            "break_stops_clock": "",
            "equal_places": "",
            "deduction_most": "points",
            "appeal_minutes": "minutes",
            "games": "games",
            "games_5": "games",
            "minutes": "minutes",
            "minutes_5": "minutes",
            "pflichtsoli": "pflichtsoli",
            "first_dealer": "seat",
            "scorer": "seat",
            "scorer_5": "seat",
            "cards": "cards",
            "dealing": "",
            "same_dealer_after_solo": "",
            "trumpfschwach_dealer": "",
        },
        "finding": {
            "schmeissen_nines": "nines",
            "schmeissen_trumps": "trumps",
            "trumpfschwach_trumps": "trumps",
            "armut_trumps": "trumps",
            "klaerung_tricks": "tricks",
            "lost_alleinspiele": "alleinspiele",
        },
        "play": {
            "leader_in_solo": "",
            "second_ht": "",
            "karo_in_trumpfsolo": "",
            "schweinchen_until": "",
            "schweinchen_in_solo": "",
            "hyperschweinchen": "",
            "words_back": "",
            "tell_augen": "",
            "tell_tricks": "",
            "tell_sides": "",
            "look_back": "",
            "after_davonlaufen": "",
            "unlawful_davonlaufen_frees": "",
            "davonlaufen_ace": "cards",
            "davonlaufen_ten": "cards",
            "davonlaufen_king": "cards",
        },
        "calls": {
            "limit_ansage": "cards",
            "limit_keine90": "cards",
            "limit_keine60": "cards",
            "limit_keine30": "cards",
            "limit_schwarz": "cards",
            "reply_cards": "cards",
            "re_until": "",
            "others_until": "",
            "all_until": "",
            "until_card": "",
            "bock_by": "",
            "leaving_out_steps": "",
            "duty_call_augen": "augen",
            "duty_call_in_hochzeit": "",
            "duty_call_falls_away": "",
            "duty_call_until": "",
        },
        "scoring": {
            "win_points": "augen",
            "schneider_points": "augen",
            "bound_side_must_reach": "",
            "exact_against_absage": "",
            "nobody_has_won": "",
            "value_won": "points",
            "value_against_queens": "points",
            "against_queens_in_solo": "",
            "value_under": "points",
            "value_schneider": "points",
            "value_schwarz": "points",
            "value_absage": "points",
            "value_reached": "points",
            "value_re_kontra": "points",
            "factor_re_kontra": "times",
            "factor_bock": "times",
            "klopfen_most": "",
            "factor_klopfen": "times",
            "bockrunde": "",
            "bock_herzstich": "",
            "bock_even": "",
            "bock_lost_call": "",
            "bock_lost_solo": "",
            "bock_herz_solo": "",
            "factor_bockrunde": "times",
            "doppelkopf_augen": "augen",
            "value_doppelkopf": "points",
            "value_fuchs": "points",
            "value_karlchen": "points",
            "value_karlchen_caught": "points",
            "karlchen_caught_by": "",
            "value_fuchs_last": "points",
            "value_herzstich": "points",
            "value_dulle": "points",
            "second_dulle": "",
            "losers_special_points": "",
            "factor_solo": "times",
            "bonus": "points",
            "lost_solo_bonus": "points",
            "value_sie": "points",
            "value_tout": "points",
            "value_solo": "points",
            "value_wenz": "points",
            "value_rufspiel": "points",
            "value_muss": "points",
            "value_geier": "points",
            "value_farbwenz": "points",
            "value_bettel": "points",
            "value_hochzeit": "points",
            "value_ramsch": "points",
            "ramsch_equal": "",
            "factor_jungfrau": "times",
            "durchmarsch": "",
            "value_durchmarsch": "points",
            "value_laufende": "points",
            "laufende_from": "trumps",
            "laufende_from_wenz": "trumps",
        },
        "offences": {
            "minor_penalty": "points",
            "minor_penalty_opponent": "points",
            "serious_penalty": "points",
            "serious_penalty_opponent": "points",
            "serious_penalty_step": "points",
            "revoke_in_time": "",
        },
        "money": {
            "revoke_euros": "euros",
            "revoke_to_soloist": "euros",
            "revoke_to_soloist_after_one": "euros",
            "revoke_to_soloist_after_two": "euros",
            "late_from": "minutes",
            "late_from_second": "minutes",
            "late_from_third": "minutes",
            "late_from_fourth": "minutes",
            "late_euros": "euros",
            "late_euros_second": "euros",
            "late_euros_third": "euros",
            "late_euros_fourth": "euros",
        },
    }
)

#: Chapters in which options are shown, in this order.
CHAPTERS: Final = tuple(_UNITS)

#: An option's chapter and unit by its name.
KNOWN: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {name: (chapter, unit) for chapter, units in _UNITS.items() for name, unit in units.items()}
)


def option(name: str, default: Value, values: Sequence[Value], section: str) -> Option:
    """Make an option of a book; its chapter and unit stand in :data:`KNOWN`."""
    chapter, unit = KNOWN[name]
    return Option(name=name, default=default, values=values, section=section, chapter=chapter, unit=unit)
