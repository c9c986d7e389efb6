"""Find the list of a table as it counts, with a device or on paper."""

from kiosk.director.key import ListKey
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.counted import CountedList
from kiosk.tournament.tally import counted_list, paper_list
from kiosk.tournament.tournament import Tournament


def written_of(tournament: Tournament, key: ListKey, by_table: Round | None) -> Round | None:
    """Return the table's own list; else the empty one of a table on paper, None where nobody was seated."""
    return paper_list(tournament, key.round, key.table) if by_table is None else by_table


def counted_of(tournament: Tournament, key: ListKey, by_table: Round | None) -> CountedList | None:
    """Return the table's list as it counts; None where there is none and nobody was seated."""
    written = written_of(tournament, key, by_table)
    return None if written is None else counted_list(tournament, written)


def shown_list(tournament: Tournament, key: ListKey, by_table: Round | None) -> CountedList | None:
    """Return the list that is shown: that of a table without a device only once something was noted of it."""
    if by_table is None and not tournament.lists.get((key.round, key.table)):
        return None
    return counted_of(tournament, key, by_table)
