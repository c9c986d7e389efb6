"""Write the file with which a club begins: all that it may change, as its base has it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.language import say
from kiosk.rules.composed.counted import counts_of_book
from kiosk.rules.composed.games import OTHERS, OWN, SOLOS
from kiosk.rules.composed.make import points_for
from kiosk.rules.composed.schafkopf import HOCHZEIT, ORDER, UNBID
from kiosk.rules.composed.scoring import SPECIAL
from kiosk.rules.describe.text import values_written
from kiosk.rules.describe.told import option_told
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.known import CHAPTERS

#: Trumps of a normal game in nearly every club.
_AS_USUAL = ("HT", "Q", "J", "D")


def new_text(base: RuleBook, language: str) -> str:
    """Return the text of a file that plays as ``base`` does, with everything that may stand there as comments."""

    def comment(code: str, **fill: str) -> str:
        return f"# {say('new_book', code, language, **fill)}"

    lines = [
        comment("begin", base=base.name),
        comment("begin_more"),
        "",
        f"base = {_toml(base.name)}",
        f"title = {_toml(say('new_book', 'title', language))}",
        f"source = {_toml(say('new_book', 'source', language))}",
        '# date = "2026-11-01"',
        f"# tables = {_toml(list(base.tables))}",
        "",
        "[options]",
        comment("options"),
    ]
    for chapter in CHAPTERS:
        found = [option for option in base.options if option.chapter == chapter and len(option.values) > 1]
        lines += [f"# --- {say('chapters', chapter, language)}"] if found else []
        for option in found:
            told = f"{option_told(option, language)} {values_written(option, language)}"
            lines.append(f"# {option.name} = {_toml(option.default)}  # {told}")
    lines += ["", *_rules(base, language), "", *_games(base, language)]
    lines += (
        ["", *_for_doppelkopf(base, language)] if not base.classes else ["", "[points]", f"# laufende = {_toml(True)}"]
    )
    lines += [
        "",
        comment("rule"),
        "# [[rule]]",
        f"# about = {_toml([base.options[-1].name])}",
        '# section = "§ 1"',
        f"# text = {_toml(say('new_book', 'rule_text', language))}",
    ]
    return "\n".join(lines) + "\n"


def written_out(content: Mapping[str, Any]) -> str:
    """Return the text of a file that holds this content, and nothing else."""
    lines = [f"{key} = {_toml(value)}" for key, value in content.items() if not _is_section(value)]
    for key, value in content.items():
        if _is_section(value):
            many = isinstance(value, list)
            for one in value if many else (value,):
                lines += ["", f"[[{key}]]" if many else f"[{key}]"]
                lines += [f"{_toml(name)} = {_toml(inner)}" for name, inner in one.items()]
    return "\n".join(lines) + "\n"


def _is_section(value: object) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and bool(value) and isinstance(value[0], Mapping))


def _rules(base: RuleBook, language: str) -> Iterable[str]:
    yield "[rules]"
    yield f"# {say('new_book', 'rules', language)}"
    for name, point in points_for(base).items():
        yield f"# --- {say('own_book', name, language)}"
        for choice in point.choices:
            yield f"# {name} = {_toml(choice)}  # {say('own_book', f'{name} {choice}', language)}"


def _games(base: RuleBook, language: str) -> Iterable[str]:
    games = [kind.game for kind in base.kinds]
    ranked = [kind for kind in base.kinds if kind.game not in UNBID]
    ranks = sorted({kind.rank for kind in ranked})
    order = [[kind.game for kind in ranked if kind.rank == rank] for rank in ranks]
    yield from ("[games]", f"# {say('new_book', 'games', language)}")
    yield f"# played = {_toml(games)}"
    yield f"# order = {_toml(order)}"
    yield f"#   {', '.join((*ORDER, HOCHZEIT) if base.classes else (*SOLOS, *OTHERS, *OWN))}"


def _for_doppelkopf(base: RuleBook, language: str) -> Iterable[str]:
    yield from ("[trumps]", f"# {say('new_book', 'trumps', language)}")
    yield f"# normal = {_toml(_AS_USUAL)}"
    yield f"# farbsolo = {_toml(SOLOS['farbsolo'])}"
    counts = counts_of_book(base.name)
    yield from ("", "[points]", f"# {say('new_book', 'points', language)}")
    for key in ("calls", "queens", "reached", "special_doubled"):
        yield f"# {key} = {_toml(getattr(counts, key))}"
    yield f"# special = {_toml(list(counts.special))}"
    for name in SPECIAL:
        yield f"#   {name}: {say('values', name, language)}"


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
