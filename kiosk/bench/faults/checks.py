"""Check a table's list after an evening: against what was played, what was shown as safe, and the direction's."""

from collections.abc import Iterator, Mapping, Sequence

from kiosk.bench.championship.play import Event, rows_of
from kiosk.table.events.chain import START, link


def wrong_with(
    events: Sequence[Event], told: Sequence[Event], wanted: Sequence[Event], safe: Mapping[int, str]
) -> Iterator[str]:
    """Tell what is wrong with a list.

    :param events: as they lie on the table's disk.
    :param told: as the direction has them.
    :param wanted: what people did, from ``open`` to ``close``.
    :param safe: number of events that the table has shown as saved → the chain over them.
    """
    if list(events) != list(told):
        differs = next((n for n, (one, two) in enumerate(zip(events, told, strict=False)) if one != two), None)
        at = "one is longer" if differs is None else f"from event {differs}"
        yield f"{len(events)} events, the direction has {len(told)}; they differ: {at}"
    if not events or rows_of(list(events)) != rows_of(list(wanted)):
        yield "its rows are not what was played"
    chains = [START]
    for event in events:
        chains.append(link(chains[-1], event))
    lost = [count for count, chain in safe.items() if count >= len(chains) or chains[count] != chain]
    if lost:
        yield f"{min(lost)} to {max(lost)} events were shown as safe, and are not in its list so"
