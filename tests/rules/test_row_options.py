"""The options in the rows of the books: default, range, section, and what contradicts what."""

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.describe.told import refusal_named
from kiosk.rules.engine.book import BadOption

# Name, default, all it may be, where the book has the number, or is silent: what a director may set.
OPTIONS = {
    "eppstein": """
        rounds 0 0..99 7.3.1
        games 16 1..200 7.4.1
        games_5 20 1..200 7.4.1
        minutes 120 0..999 7.4.1
        minutes_5 120 0..999 7.4.1
        break_stops_clock False False|True 7.4.1
        pflichtsoli 1 0..10 7.5.1
        first_dealer 1 1..4 2.2.1
        scorer 4 1..4 6.3.1
        scorer_5 5 1..5 6.3.1
        equal_places shared shared|lot|games_won 7.4.1
        deduction_most 12 0..999 8.7.2
        appeal_minutes 0 0..10080 8.2.2
        dealing 4x3 4x3|3x4|2x6|6x2 2.2.6
        schmeissen_nines 5 1..9 3.4.2
        schmeissen_trumps 3 0..12 3.4.2
        klaerung_tricks 3 1..12 3.5.3
        second_ht highest_trump highest_trump|any_trump|never 4.4.2
        words_back next next|trick|never 3.1.2
        tell_augen False False|True 8.1.3
        tell_tricks False False|True 4.4.7
        tell_sides False False|True 1.4.5
        look_back False False|True 4.4.7
        limit_ansage 11 1..12 5.2.2
        limit_keine90 10 1..12 5.3.4
        limit_keine60 9 1..12 5.3.4
        limit_keine30 8 1..12 5.3.4
        limit_schwarz 7 1..12 5.3.4
        reply_cards 1 0..11 5.5.4
        win_points 121 91..150 6.1.2
        bound_side_must_reach True True|False 6.1.4
        value_won 1 0..99 6.2.2
        value_against_queens 1 0..99 6.2.2
        against_queens_in_solo False False|True 6.2.2
        value_under 1 0..99 6.2.2
        value_schwarz 1 0..99 6.2.2
        value_absage 1 0..99 6.2.2
        factor_re_kontra 2 1..9 6.2.2
        doppelkopf_augen 40 1..44 6.2.3
        value_doppelkopf 1 0..99 6.2.3
        value_fuchs 1 0..99 6.2.3
        value_karlchen 1 0..99 6.2.3
        value_fuchs_last 1 0..99 6.2.3
        losers_special_points set_off set_off|ignored|each_side 6.2.3
        factor_solo 3 1..9 6.2.4
        minor_penalty 3 0..99/3 8.4.2
        minor_penalty_opponent 3 0..99 8.4.3
        serious_penalty 12 0..300/3 8.6.2
        serious_penalty_opponent 12 0..300 8.6.2
        serious_penalty_step 3 0..99/3 8.6.2
    """,
    "bsv": """
        rounds 0 0..99 8.4
        games 24 1..200 8.5
        games_5 30 1..200 10.1
        minutes 120 0..999 8.5
        minutes_5 140 0..999 10.1
        break_stops_clock False False|True 8.5
        first_dealer 1 1..4 3.3
        scorer 4 1..4 3.1
        scorer_5 5 1..5 10.1
        equal_places shared shared|lot|games_won 8.5
        deduction_most 0 0..999 9.5
        appeal_minutes 0 0..10080 8.5
        dealing 5x2 5x2|2x5|3-4-3 3.3
        trumpfschwach_dealer same same|next 4.1
        trumpfschwach_trumps 3 0..10 4.1
        klaerung_tricks 3 1..10 4.2.1
        leader_in_solo forehand forehand|soloist 5.1
        second_ht highest_trump highest_trump|any_trump|never 5.3
        words_back next next|trick|never 4.1
        tell_augen False False|True 9.1
        tell_tricks False False|True 5.3
        tell_sides False False|True 2.4.1
        look_back False False|True 5.3
        limit_ansage 9 1..10 6.3
        limit_keine90 8 1..10 6.4
        limit_keine60 7 1..10 6.4
        limit_keine30 6 1..10 6.4
        limit_schwarz 5 1..10 6.4
        reply_cards 1 0..9 6.5
        duty_call_augen 30 1..44 6.3.1
        duty_call_in_hochzeit klaerungsstich klaerungsstich|first_trick|none 6.3.1
        duty_call_falls_away True True|False 6.3.1
        duty_call_until limit limit|next_card 6.3.1
        win_points 121 91..150 7.1
        value_won 1 0..99 7.2
        value_under 1 0..99 7.2
        value_schwarz 1 0..99 7.2
        value_re_kontra 2 0..99 7.2
        value_absage 1 0..99 7.2
        value_reached 1 0..99 7.2
        value_against_queens 1 0..99 7.2
        doppelkopf_augen 40 1..44 7.2
        value_doppelkopf 1 0..99 7.2
        value_fuchs 1 0..99 7.2
        value_karlchen 1 0..99 7.2
        minor_penalty 3 0..99/3 7.3
        minor_penalty_opponent 3 0..99 7.3
        serious_penalty 0 0|15|21 7.3
    """,
    "durchgaenge": """
        rounds 3 0..99 1a
        games 12 1..200 1a
        minutes 0 0..999 1a
        break_stops_clock False False|True 7c
        scorer 4 1..4 1b
        equal_places shared shared|lot|games_won 6
        cards 40 40 1c
        deduction_most 999 0..999 Schlusssatz
        appeal_minutes 0 0..10080 Schlusssatz
        dealing 2x5 2x5|5x2|3-4-3 1c
        second_ht never never|highest_trump|any_trump 6
        words_back trick trick|next|never 7a
        tell_augen True True|False 7c
        tell_tricks True True|False 7c
        tell_sides True True|False 7c
        look_back True True|False 7c
        all_until 5 5..40 2d
        until_card touches touches|lies 2d
        leaving_out_steps True True|False 2b
        win_points 121 91..150 6a
        exact_against_absage True True|False 6b
        nobody_has_won nothing nothing|net 6b
        value_won 1 0..99 6c
        value_under 1 0..99 6a
        value_schwarz 1 0..99 6a
        value_re_kontra 1 0..99 2a
        value_absage 1 0..99 2b
        doppelkopf_augen 40 1..44 3a
        value_doppelkopf 1 0..99 3a
        value_fuchs 1 0..99 3a
        value_fuchs_last 1 0..99 3a
        value_against_queens 1 0..99 3b
        against_queens_in_solo True True|False 3b
        losers_special_points ignored ignored|set_off 6c
        bonus 5 0..100 6c
        factor_solo 3 1..9 6d
        lost_solo_bonus 15 0..300 6d
        serious_penalty 24 0..300/3 7a
        serious_penalty_opponent 24 0..300 7b
    """,
    "schnittchen": """
        rounds 1 0..99 6
        games 0 0..200 6
        games_5 0 0..200 6
        minutes 0 0..999 6
        minutes_5 0 0..999 6
        break_stops_clock False False|True 6
        first_dealer 1 1..4 4
        scorer 4 1..4 6
        scorer_5 4 1..5 6
        equal_places shared shared|lot|games_won Pokale
        deduction_most 999 0..999 6
        appeal_minutes 0 0..10080 Pokale
        dealing 3-4-3 3-4-3|2x5|5x2 4
        same_dealer_after_solo four_players four_players|never 4
        karo_in_trumpfsolo True True|False 3.2.3
        words_back next next|trick|never 5.1
        tell_augen True True|False 4
        tell_tricks True True|False 4
        tell_sides True True|False 2
        look_back True True|False 4
        re_until 5 1..40 5.1
        others_until 9 1..40 5.1
        until_card touches touches|lies 5.1
        bock_by either either|first_side 5.2
        win_points 121 91..150 6.1
        value_won 1 0..99 6.2
        factor_re_kontra 2 1..9 6.2
        factor_bock 2 1..9 6.2
        value_under 1 0..99 6.2
        value_schwarz 1 0..99 6.2
        value_absage 1 0..99 6.2
        value_reached 1 0..99 6.2
        value_against_queens 1 0..99 6.2
        doppelkopf_augen 40 1..44 6.2
        value_doppelkopf 1 0..99 6.2
        value_fuchs 1 0..99 6.2
        value_karlchen 1 0..99 6.2
        value_dulle 1 0..99 6.2
        second_dulle other_side other_side|any 6.2
        losers_special_points set_off set_off|ignored 6.2
        bockrunde table table|four|none 6.2
        factor_bockrunde 2 1..9 6.2
        revoke_euros 1 0..100 Regelverstösse
        revoke_to_soloist 3 0..100 Regelverstösse
        revoke_to_soloist_after_one 4 0..100 Regelverstösse
        revoke_to_soloist_after_two 6 0..100 Regelverstösse
        late_from 5 1..237 Strafen für 'Zu-Spät-Kommen'
        late_from_second 16 2..238 Strafen für 'Zu-Spät-Kommen'
        late_from_third 31 3..239 Strafen für 'Zu-Spät-Kommen'
        late_from_fourth 46 4..240 Strafen für 'Zu-Spät-Kommen'
        late_euros 20 0..1000 Strafen für 'Zu-Spät-Kommen'
        late_euros_second 30 0..1000 Strafen für 'Zu-Spät-Kommen'
        late_euros_third 40 0..1000 Strafen für 'Zu-Spät-Kommen'
        late_euros_fourth 50 0..1000 Strafen für 'Zu-Spät-Kommen'
    """,
    "schaffkopf": """
        rounds 2 1..99 III 2
        games 32 1..200 III 2
        minutes 0 0..999 III 2.3
        break_stops_clock False False|True III 2.3
        first_dealer 1 1..4 III 2.3
        scorer 1 1..4 III 3.1
        deduction_most 999 0..999 III 1.2
        appeal_minutes 0 0..10080 III 2.6
        dealing 4x2 4x2|2x4 II 1.1.3
        lost_alleinspiele 3 1..100 II 2.2
        words_back never never|next II 2.2
        tell_augen False False|True II 4.2.4
        tell_tricks False False|True II 4.2.4
        tell_sides True True|False II 4.2.4
        look_back False False|True II 4.2.2
        after_davonlaufen free free|lay_only II 4.1.6
        unlawful_davonlaufen_frees True True|False II 4.1.6
        davonlaufen_ace 4 2..6 II 4.1.6
        davonlaufen_ten 4 2..6 II 4.1.7
        davonlaufen_king 3 2..6 II 4.1.7
        win_points 61 2..120 II 5.1.2
        schneider_points 30 1..59 II 5.1.2
        value_schneider 1 1..99 II 5.1.2
        value_schwarz 1 1..99 II 5.1.2
        value_sie 12 1..99 II 5.2
        value_tout 6 1..99 II 5.2
        value_solo 3 1..99 II 5.2
        value_wenz 3 1..99 II 5.2
        value_rufspiel 1 1..99 II 5.2
        value_muss 1 1..99 II 4.1.7
        revoke_in_time next_card next_card|fourth_card II 4.2.5
    """,
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options(name: str) -> None:
    found = []
    for option in BOOKS[name].options:
        values = option.values
        if isinstance(values, range):
            steps = f"/{values.step}" if values.step > 1 else ""
            allowed = f"{values[0]}..{values[-1]}{steps}"
        else:
            allowed = "|".join(map(str, values))
        found.append(f"{option.name} {option.default} {allowed} {option.section}")
    assert found == [line.strip() for line in OPTIONS[name].strip().splitlines()]


@pytest.mark.parametrize(
    ("name", "given", "section"),
    [
        ("eppstein", {"limit_keine90": 12}, "(eppstein 5.3.4)"),
        ("eppstein", {"pflichtsoli": 5}, "(eppstein 7.5.1)"),
        ("bsv", {"limit_keine90": 10}, "(bsv 6.4)"),
        ("schnittchen", {"late_from": 16}, "(schnittchen Strafen für 'Zu-Spät-Kommen')"),
        ("schnittchen", {"late_euros": 31}, "(schnittchen Strafen für 'Zu-Spät-Kommen')"),
    ],
)
def test_contradictions_name_their_section(name: str, given: dict[str, int], section: str) -> None:
    with pytest.raises(BadOption) as refused:
        BOOKS[name].settle(given)
    assert section in refusal_named(refused.value)
