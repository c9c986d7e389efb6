"""Find the words of texts, of options and of what is refused: the rules' one way to the catalogues."""

from kiosk.language import has, say
from kiosk.rules.options.option import BadOption, Option, Value
from kiosk.rules.options.words import Joined, Text, Words


def tell(text: Text, language: str) -> str:
    """Look a text up, with all that is filled in."""
    if isinstance(text, Words):
        fill = {place: one if isinstance(one, int) else tell(one, language) for place, one in text.fill}
        return say(text.subject, text.code, language, **fill)
    if isinstance(text, Joined):
        return tell(text.between, language).join(tell(one, language) for one in text.parts)
    return text


def option_told(option: Option, language: str = "de") -> str:
    """Tell what an option means, as a sentence."""
    return say("options", option.name, language)


def value_words(option: Option, value: Value) -> Text:
    """Return a value as a text: of its own words, yes or no, a number with its unit, or as it is."""
    code = f"{option.name} {value}"
    if has("option_values", code):
        return Words("option_values", code)
    if isinstance(value, bool):
        return Words("rulebook", "yes" if value else "no")
    if option.unit and isinstance(value, int):
        return Words("option_units", option.unit, (("n", value),))
    return str(value)


def value_told(option: Option, value: Value, language: str = "de") -> str:
    """Format a value in words: ``11 Karten``, ``ja``, ``der nächste Geber``."""
    return tell(value_words(option, value), language)


def values_with_words(option: Option) -> list[Value]:
    """List the values that have words of their own."""
    return [value for value in option.values if has("option_values", f"{option.name} {value}")]


def allowed_told(option: Option, language: str = "de") -> str:
    """Format the allowed values in words: ``1 bis 200``, ``0 bis 99 in Schritten von 3``, ``ja / nein``."""
    values = option.values
    if isinstance(values, range) and len(values) > 1:
        code = "from_to_in_steps" if values.step > 1 else "from_to"
        places = {"first": values[0], "last": values[-1]} | ({"step": values.step} if values.step > 1 else {})
        named = "".join(f"; {one}: {value_told(option, one, language)}" for one in values_with_words(option))
        return say("rulebook", code, language, **places) + named
    return " / ".join(value_told(option, one, language) for one in values)


def refusal_told(error: BadOption, language: str = "de") -> str:
    """Tell the people of a club what is wrong and the way out, options by their meanings."""
    text = tell(error.reason, language)
    for option in error.options:
        meaning = option_told(option, language).rstrip(".")
        text = text.replace(repr(option.name), say("option_refusals", "named", language, meaning=meaning))
    return text


def refusal_named(error: BadOption, language: str = "en") -> str:
    """Tell who sets up what is wrong and the way out: options by their names, as they stand in a file."""
    text = tell(error.reason, language)
    named = [option for option in error.options if repr(option.name) in text]
    told = [f"{option.name!r}: {option_told(option, language).rstrip('.')}" for option in named]
    return "; ".join((text, *told))
