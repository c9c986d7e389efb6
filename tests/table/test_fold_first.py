from kiosk.table.fold import fold
from kiosk.table.spielliste import replay_data


def test_no_game_yet() -> None:
    round_ = fold(
        [{"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": list("ABCD")}]
    )
    assert round_.next_dealer == 1
    assert replay_data(round_)[0]["list"]["games_left"] == 16
