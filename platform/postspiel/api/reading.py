"""A game as one of its viewers sees it, put into the API's shapes."""

from __future__ import annotations

from typing import cast

from django.utils import translation
from msgspec import Raw

from games.engine.contract import Choice, Locale, Problem
from games.engine.contract import Sheet as Orders
from games.engine.language import Language, language, line_problem_text
from games.engine.texts import problem_text
from games.engine.turns import encode_state
from postspiel.accounts.models import User
from postspiel.api.shapes import (
    HIDDEN,
    GameShape,
    LogShape,
    PressShape,
    ReceiptShape,
    Refused,
    SeatShape,
    SheetShape,
    Status,
    TurnShape,
)
from postspiel.play import pace, policy_words, positions, selectors
from postspiel.play.models import Game, Press, Seat, Turn
from postspiel.play.services import HandedIn


def game(game: Game, user: User) -> GameShape:
    """The game as this person sees it: from his seat if he holds one, else as a watcher."""
    locale, seat, turn = cast("Locale", user.locale), selectors.seat_of(game, user), selectors.open_turn(game)
    knows = selectors.knows_players(game, user)
    return GameShape(
        key=game.key,
        title=game.title,
        name=game.name,
        status=game.status,
        size=game.size,
        options=cast("dict[str, Choice]", game.options),
        schedule=positions.schedule_of(game),
        pace=_pace(game, locale),
        policy=_policy(game, locale),
        rules=game.rules,
        commitment=game.commitment,
        seat=seat.index if seat else None,
        seats=tuple(_seat(game, one, locale, knows=knows) for one in selectors.seats_of(game)),
        turn=_turn(turn) if turn else None,
        position=selectors.position(game, seat, locale),
        state=_state(game, turn, seat),
        asks=selectors.asks_for(seat) if seat else (),
        sheet=_sheet(game, seat, locale) if seat else None,
        log=tuple(LogShape(log.turn.number, log.turn.closed, log.blocks) for log in selectors.log(game, seat, locale)),
        press=tuple(map(_press, selectors.press_for(game, seat))),
    )


def receipt(handed: HandedIn, game: Game, locale: Locale) -> ReceiptShape:
    """What became of posted orders."""
    understood = handed.understood
    words = _language(game)
    return ReceiptShape(
        verdict=understood.verdict,
        reason=understood.reason,
        turn=handed.turn.number if handed.turn else None,
        sheet=_written(words, understood.status, understood.sheet, understood.digest, locale) if handed.sheet else None,
        refused=(
            *(_refused(handed, problem, game, locale) for problem in understood.refused),
            *(
                Refused(one.line, one.text, one.code, line_problem_text(one, locale), one.suggestion or "")
                for one in understood.reading.problems
            ),
        ),
        hints=tuple(_reason(problem, game, locale) for problem in understood.hints),
        missing=understood.missing,
    )


def _pace(game: Game, locale: Locale) -> str:
    with translation.override(locale):
        return pace.sentence(positions.schedule_of(game))


def _policy(game: Game, locale: Locale) -> str:
    with translation.override(locale):
        return policy_words.sentence(positions.policy_of(game))


def _seat(game: Game, seat: Seat, locale: Locale, *, knows: bool) -> SeatShape:
    player = (seat.player.public_name if knows else HIDDEN) if seat.player else ""
    return SeatShape(seat.index, selectors.seat_name(game, seat.index, locale), player, seat.bot)


def _turn(turn: Turn) -> TurnShape:
    handed_in, asked = selectors.sheets_in(turn)
    return TurnShape(turn.number, turn.opened, turn.earliest, turn.deadline, handed_in, asked)


def _state(game: Game, turn: Turn | None, seat: Seat | None) -> Raw | None:
    index = seat.index if seat else None
    if turn is not None:
        return Raw(encode_state(positions.seen(turn, index)))
    if game.status != Game.Status.ENDED:
        return None
    return Raw(encode_state(positions.title_of(game).mask(positions.final_state_of(game), index)))


def _sheet(game: Game, seat: Seat, locale: Locale) -> SheetShape | None:
    sheet = selectors.sheet_of(seat)
    return _written(_language(game), sheet.status, selectors.orders_of(sheet), sheet.digest, locale) if sheet else None


def _written(words: Language, status: str, orders: Orders, digest: str, locale: Locale) -> SheetShape:
    lines = tuple(words.write(order, locale) for order in orders)
    return SheetShape(cast("Status", status), orders, lines, digest)


def _press(press: Press) -> PressShape:
    number = press.turn.number if press.turn else None
    return PressShape(number, press.seat.index, None if press.to is None else tuple(press.to), press.text, press.sent)


def _refused(handed: HandedIn, problem: Problem, game: Game, locale: Locale) -> Refused:
    line = handed.understood.reading.orders[problem.order]
    fix = _language(game).write(problem.fix, locale) if problem.fix else ""
    return Refused(line.line, line.text, problem.code, _reason(problem, game, locale), fix)


def _reason(problem: Problem, game: Game, locale: Locale) -> str:
    return problem_text(positions.title_of(game), positions.options_of(game), problem, locale)


def _language(game: Game) -> Language:
    return language(positions.title_of(game), positions.options_of(game))
