"""What happened in a turn, as prose; made of events alone, so a report of a whole game needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine.contract import Block, Event, Grid, Items, Locale, Text, Value
from games.intrige.wording import join, name, say

type Data = dict[str, Value]
type Told = list[tuple[Data, int]]


def story(events: Sequence[Event], locale: Locale) -> tuple[Block, ...]:
    """The events that a reader may know, as lines; sealed bribes and the final table as tables."""
    amounts = [event.data for event in events if event.kind == "amount"]
    lines = [line for event in events for line in _line(event, amounts, locale)]
    blocks: list[Block] = [Items(tuple(lines))] if lines else []
    opened = [event.data for event in events if event.kind == "opened"]
    final = sorted((event.data for event in events if event.kind == "final"), key=lambda data: _int(data, "place"))
    if opened:
        blocks.append(_opened(opened, locale))
    if final:
        blocks.append(_final(final, locale))
    return tuple(blocks or [Text(say(locale, "story.quiet"), "quiet")])


def _line(event: Event, amounts: list[Data], locale: Locale) -> Iterator[str]:
    data = event.data
    match event.kind:
        case "start":
            seats = join(locale, (name(locale, one) for one in _names(data, "seats")))
            yield say(locale, "story.start", seats=seats, first=name(locale, _str(data, "first")))
        case "round":
            yield say(locale, "story.round", round=_int(data, "round"))
        case "income":
            yield _income(data, locale)
        case "group":
            yield _group(data, locale)
        case "bribe":
            yield _bribe(data, amounts, locale)
        case "seated":
            yield say(locale, f"story.seated_{data['kind']}", **_words(data, locale))
        case "kept" | "replaced" | "banished":
            yield say(locale, f"story.{event.kind}", **_words(data, locale))
        case "sent":
            words = _words(data, locale) | {"craft": say(locale, f"craft.{data['scholar']}.an")}
            yield say(locale, "story.sent", **words)
        case _:
            return


def _words(data: Data, locale: Locale) -> dict[str, str]:
    """The seats of an event by name, its area, and its scholar as the object of a sentence."""
    seats = [key for key in ("seat", "court", "before") if key in data]
    words: dict[str, str] = {key: name(locale, _str(data, key)) for key in seats}
    words["area"] = _str(data, "area") if "area" in data else ""
    if "scholar" in data:
        words["craft"] = say(locale, f"craft.{data['scholar']}")
        words["acc"] = say(locale, f"craft.{data['scholar']}.acc")
    return words


def _income(data: Data, locale: Locale) -> str:
    posts = []
    for post in _names(data, "posts"):
        court, _, pay = post.partition(":")
        posts.append(say(locale, "story.post", pay=pay, court=name(locale, court)))
    seat = name(locale, _str(data, "seat"))
    return say(locale, "story.income", seat=seat, amount=_int(data, "amount"), posts=join(locale, posts))


def _group(data: Data, locale: Locale) -> str:
    pairs = [one.partition(":")[::2] for one in _names(data, "who")]
    names = [name(locale, seat) for seat, _ in pairs]
    court = name(locale, _str(data, "court"))
    craft = say(locale, f"craft.{pairs[0][1]}.an")
    match data["kind"]:
        case "free":
            who = join(locale, (f"{name(locale, seat)} {craft}" for seat, craft in pairs))
            return say(locale, "story.group_free", court=court, who=who)
        case "external":
            return say(locale, "story.group_external", court=court, who=join(locale, names), craft=craft)
        case _:
            rivals, area = join(locale, names[1:]), _str(data, "area")
            acc = say(locale, f"craft.{pairs[0][1]}.acc")
            return say(
                locale, "story.group_internal", court=court, rivals=rivals, area=area, incumbent=names[0], acc=acc
            )


def _bribe(data: Data, amounts: list[Data], locale: Locale) -> str:
    known = data if "amount" in data else _known(data, amounts)
    kind = "defend" if data["defends"] else "bribe"
    tail = "_sealed" if known is None else "" if known["amount"] else "_nothing"
    words = _words(data, locale) | {"craft": say(locale, f"craft.{data['scholar']}.acc")}
    wish = say(locale, "story.wish", wish=_str(data, "wish")) if data["wish"] else ""
    amount = 0 if known is None else _int(known, "amount")
    return say(locale, f"story.{kind}{tail}", **words, amount=amount, wish=wish)


def _known(data: Data, amounts: list[Data]) -> Data | None:
    """Take the amount of a sealed bribe, if the reader was told it."""
    for place, one in enumerate(amounts):
        if all(one[key] == value for key, value in data.items()):
            return amounts.pop(place)
    return None


def _opened(rows: list[Data], locale: Locale) -> Grid:
    head = tuple(say(locale, f"col.{key}") for key in ("round", "court", "player", "scholar", "amount"))
    body = tuple(
        (
            str(data["round"]),
            name(locale, _str(data, "court")),
            name(locale, _str(data, "seat")),
            say(locale, f"craft.{data['scholar']}"),
            str(data["amount"]),
        )
        for data in rows
    )
    return Grid(say(locale, "story.opened"), head, body, numeric=(0, 4))


def _final(rows: list[Data], locale: Locale) -> Grid:
    head = tuple(say(locale, f"col.{key}") for key in ("place", "player", "cash"))
    body = tuple((str(data["place"]), name(locale, _str(data, "seat")), str(data["cash"])) for data in rows)
    return Grid(say(locale, "story.final"), head, body, numeric=(0, 2))


def _str(data: Data, key: str) -> str:
    return str(data[key])


def _int(data: Data, key: str) -> int:
    value = data[key]
    return value if isinstance(value, int) else 0


def _names(data: Data, key: str) -> tuple[str, ...]:
    value = data[key]
    return value if isinstance(value, tuple) else ()
