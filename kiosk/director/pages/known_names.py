"""List whom the direction knows by name, so that a log for the maker names nobody."""

from kiosk.director.access.access import Access
from kiosk.director.tables.hall import Hall

#: What an account of the file is called; it is nobody's name.
_OF_FILE = "PIN"


async def names_known(hall: Hall, access: Access) -> set[str]:
    """Return the names of people, clubs, tournaments, accounts and devices, of earlier tournaments too.

    :raises StoreFailed: the database cannot be read.
    """
    found = {name for desk in hall.desks if desk.copy.round is not None for name in desk.copy.round.players}
    found |= await hall.threads.on_disk(_of_tournaments, hall)
    found |= {account.name for account in await access.run(access.accounts.all)} - {_OF_FILE}
    found |= {device.name for device in await access.run(access.devices.all)}
    return {name for name in found if name.strip()}


def _of_tournaments(hall: Hall) -> set[str]:
    found = set(hall.office.held)
    for name in tuple(hall.office.held):
        people = hall.office.named(name).people
        found |= {*people, *(person.club for person in people.values())}
    return found
