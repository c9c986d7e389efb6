"""Find the Debian mirror that this machine uses."""

import subprocess
from dataclasses import dataclass

USUAL = "http://deb.debian.org/debian"
COMPONENTS = "main non-free-firmware"


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where Debian's packages come from.

    :param url: of the archive, like ``http://deb.debian.org/debian``, or a day of it, like
        ``http://snapshot.debian.org/archive/debian/20261121T000000Z``: then an image can be made again as it was.
    """

    url: str

    def sources(self, suite: str, *, backports: bool) -> list[str]:
        """Return the lines of sources.list: the release, its updates and what was put right for security."""
        security = self.url.replace("/debian", "/debian-security", 1)
        lines = [
            f"deb {self.url} {suite} {COMPONENTS}",
            f"deb {self.url} {suite}-updates {COMPONENTS}",
            f"deb {security} {suite}-security {COMPONENTS}",
        ]
        return [*lines, f"deb {self.url} {suite}-backports {COMPONENTS}"] if backports else lines


def usual_mirror() -> Mirror:
    """Return the mirror that apt of this machine has for Debian itself; none: Debian's own address."""
    words = ["apt-get", "indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(REPO_URI)", "Created-By: Packages"]
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except FileNotFoundError:
        return Mirror(USUAL)
    for line in done.stdout.splitlines():
        origin, label, url = line.split("|", 2)
        if (origin, label) == ("Debian", "Debian"):
            return Mirror(url.rstrip("/"))
    return Mirror(USUAL)
