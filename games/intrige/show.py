"""The position as a seat sees it: what it is asked, orders to copy, the board, and tables (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.contract import Block, Copy, Grid, Heading, Items, Locale, Order, Page, Text
from games.engine.language import Language
from games.intrige.bidders import VERB_OF, open_bids, running_bidders
from games.intrige.bids import at_court
from games.intrige.board import picture
from games.intrige.bots import admit, choose
from games.intrige.defaults import complete
from games.intrige.income import earned
from games.intrige.rules import outcome
from games.intrige.sending import complete_sends
from games.intrige.state import PAYS, SEATS, UNIT, Bribe, Group, Scholar, State, current_groups, sends_now
from games.intrige.wording import join, say, scholar_name, seat_name
from games.intrige.words import AREAS


def show(language: Language, seen: State, seat: int | None, locale: Locale) -> Page:
    """The page of a seat, or of a watcher (None)."""
    return Page(_title(seen, locale), tuple(_blocks(language, seen, seat, locale)))


def _title(seen: State, locale: Locale) -> str:
    kind: str = seen.phase
    if seen.phase == "decision" and not seen.groups:
        kind = "sending"
    return say(locale, f"head.{kind}", round=seen.round, court=seat_name(locale, seen.active))


def _blocks(language: Language, seen: State, seat: int | None, locale: Locale) -> Iterator[Block]:
    for sentence in asked(seen, seat, locale):
        yield Text(sentence, "strong")
    if ahead := _ahead_text(language, seen, seat, locale):
        yield Text(ahead)
    orders = suggested(seen, seat)
    if orders:
        yield Heading(say(locale, "show.copy"), 3)
        yield Copy(tuple(language.write(order, locale) for order in orders))
    yield from _admission(seen, locale)
    yield Heading(say(locale, "show.board"), 3)
    yield picture(seen, locale)
    yield _courts(seen, locale)
    yield _players(seen, locale)
    yield Text(say(locale, "show.legend"), "quiet")


# --- what is asked ----------------------------------------------------------------------------------------------------


def asked(seen: State, seat: int | None, locale: Locale) -> list[str]:
    """What the seat is asked, in one or two sentences."""
    if seen.phase == "over":
        return _ended(seen, locale)
    if seen.phase == "bribes":
        return _bribes_asked(seen, seat, locale)
    return _decision_asked(seen, seat, locale)


def _ended(seen: State, locale: Locale) -> list[str]:
    end = outcome(seen)
    if end is None:
        return []
    winners = [seat for seat, place in enumerate(end.places) if place == 1]
    key = "ask.over_won" if len(winners) == 1 else "ask.over_shared"
    who = join(locale, (seat_name(locale, seat) for seat in winners))
    return [say(locale, key, who=who, cash=end.scores[winners[0]])]


def _bribes_asked(seen: State, seat: int | None, locale: Locale) -> list[str]:
    court = seat_name(locale, seen.active)
    payers = sorted({member.seat for group in current_groups(seen) for member in group.members})
    if seat == seen.active:
        return [say(locale, "ask.host_bribes")]
    if seat is None:
        who = join(locale, (seat_name(locale, payer) for payer in payers))
        return [say(locale, "ask.watch_bribes", who=who, court=court)]
    if seat not in payers:
        return [say(locale, "ask.wait_bribes", court=court)]
    due = running_bidders(current_groups(seen), seat)
    scholars = join(locale, (say(locale, f"craft.{craft}.your") for craft, _ in due))
    cash = seen.cash[seat] or 0
    if not cash:
        return [say(locale, "ask.penniless", court=court, scholars=scholars)]
    offer = say(locale, "ask.bribes", court=court, scholars=scholars, cash=cash)
    return [offer, say(locale, "ask.missed_bribes")]


def _decision_asked(seen: State, seat: int | None, locale: Locale) -> list[str]:
    if seat != seen.active:
        key = "ask.watch_decision" if seat is None else "ask.wait_decision"
        return [say(locale, key, court=seat_name(locale, seen.active))]
    members = [member for group in current_groups(seen) for member in group.members]
    who = join(locale, (scholar_name(locale, member) for member in members))
    sentences = [say(locale, "ask.decide", scholars=who)] if members else []
    home = " ".join(seen.home[seat])
    match sends_now(seen):
        case 0:
            return sentences
        case 1:
            return [*sentences, say(locale, "ask.send_one", home=home)]
        case count:
            courts = say(locale, "ask.any" if seen.setting.same_court else "ask.different")
            return [*sentences, say(locale, "ask.send", count=count, courts=courts, home=home)]


def _ahead_text(language: Language, seen: State, seat: int | None, locale: Locale) -> str:
    if seat is None or seen.phase == "over":
        return ""
    elsewhere = [key for key in open_bids(seen, seat) if key.court != seen.active]
    if not elsewhere:
        return ""
    found = [say(locale, "ask.at", scholar=key.craft, court=seat_name(locale, key.court)) for key in elsewhere]
    first = Order(VERB_OF[elsewhere[0].defends], {"scholar": elsewhere[0].craft, "amount": UNIT})
    example = language.write(at_court(first, elsewhere[0].court, seen.active), locale)
    return say(locale, "ask.ahead", scholars=join(locale, found), example=example)


def suggested(seen: State, seat: int | None) -> list[Order]:
    """Orders that are legal as they stand and do what the rules would do for a silent seat."""
    if seat is None or seen.phase == "over":
        return []
    if seen.phase == "bribes":
        return _suggested_bribes(seen, seat) if seat != seen.active else []
    return _suggested_decisions(seen) if seat == seen.active else []


def _suggested_bribes(seen: State, seat: int) -> list[Order]:
    left = seen.cash[seat] or 0
    orders: list[Order] = []
    for craft, defends in running_bidders(current_groups(seen), seat):
        amount = min(UNIT, left)
        left -= amount
        orders.append(Order(VERB_OF[defends], {"scholar": craft, "amount": amount}))
    return orders


def _suggested_decisions(seen: State) -> list[Order]:
    winners, areas = complete(seen, None)
    orders: list[Order] = []
    for place, group in enumerate(current_groups(seen), seen.stage):
        if group.kind == "free":
            orders += [admit(m.craft, m.seat, areas[place, at]) for at, m in enumerate(group.members)]
        else:
            orders.append(choose(group, winners[place], areas.get((place, winners[place]), group.area)))
    sends = complete_sends(seen, [])
    return orders + [Order("send", {"scholar": craft, "court": SEATS[court]}) for craft, court in sends]


# --- tables -----------------------------------------------------------------------------------------------------------


def _admission(seen: State, locale: Locale) -> Iterator[Block]:
    if not seen.groups:
        return
    yield Heading(say(locale, "show.admission"), 3)
    yield Items(tuple(_group(group, locale) for group in seen.groups[seen.stage :]))
    if seen.bribes:
        head = tuple(say(locale, f"col.{name}") for name in ("player", "scholar", "amount", "wish"))
        rows = tuple(_bribe_row(bribe, locale) for bribe in seen.bribes)
        yield Grid(say(locale, "show.bribes"), head, rows, numeric=(2,))


def _group(group: Group, locale: Locale) -> str:
    who = join(locale, (scholar_name(locale, one) for one in group.members))
    seats = join(locale, (seat_name(locale, one.seat) for one in group.members))
    craft = group.members[0].craft
    if group.kind == "free":
        return say(locale, "kind.free", who=who)
    if group.kind == "external":
        return say(locale, "kind.external", who=seats, craft=say(locale, f"craft.{craft}.an"))
    return say(
        locale,
        "kind.internal",
        area=AREAS[group.area],
        incumbent=seat_name(locale, group.members[0].seat),
        craft=say(locale, f"craft.{craft}"),
        rivals=join(locale, (seat_name(locale, one.seat) for one in group.members[1:])),
    )


def _bribe_row(bribe: Bribe, locale: Locale) -> tuple[str, ...]:
    amount = say(locale, "word.sealed") if bribe.amount is None else str(bribe.amount)
    wish = bribe.wish or say(locale, "word.empty")
    return seat_name(locale, bribe.scholar.seat), say(locale, f"craft.{bribe.scholar.craft}"), amount, wish


def _courts(seen: State, locale: Locale) -> Grid:
    head = (say(locale, "col.court"), *AREAS, say(locale, "col.waiting"))
    rows = tuple(_court_row(seen, seat, locale) for seat in range(seen.seats))
    return Grid(say(locale, "show.board"), head, rows)


def _court_row(seen: State, seat: int, locale: Locale) -> tuple[str, ...]:
    areas = (_short(one, locale) if one else say(locale, "word.empty") for one in seen.courts[seat])
    waiting = ", ".join(_short(one, locale) for one in seen.waiting[seat]) or say(locale, "word.empty")
    return seat_name(locale, seat), *areas, waiting


def _short(scholar: Scholar, locale: Locale) -> str:
    return f"{scholar.craft} {seat_name(locale, scholar.seat)}"


def _players(seen: State, locale: Locale) -> Grid:
    head = tuple(say(locale, f"col.{name}") for name in ("player", "cash", "income", "home", "banished"))
    rows = tuple(_player_row(seen, seat, locale) for seat in range(seen.seats))
    return Grid(say(locale, "show.players"), head, rows, numeric=(1, 2))


def _player_row(seen: State, seat: int, locale: Locale) -> tuple[str, ...]:
    purse, empty = seen.cash[seat], say(locale, "word.empty")
    cash = say(locale, "word.unknown") if purse is None else str(purse)
    income = sum(PAYS[place] for _, place in earned(seen, seat))
    gone = " ".join(one.craft for one in seen.island if one.seat == seat)
    return seat_name(locale, seat), cash, str(income), " ".join(seen.home[seat]) or empty, gone or empty
