"""A policy in words, in the active language: what everybody reads before he joins."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from postspiel.play.policies import Policy


def sentence(policy: Policy) -> str:
    """Return what becomes of missed turns, of absences and of the seats of those who left: all that a policy says."""
    return " ".join(_sentences(policy))


def _sentences(policy: Policy) -> Iterator[str]:
    if policy.excused:
        said = ngettext(
            "%(count)d missed turn of each player counts for nothing.",
            "%(count)d missed turns of each player count for nothing.",
            policy.excused,
        )
        yield said % {"count": policy.excused}
    yield from _opening(policy)
    yield from _absences(policy)
    if policy.least_reliability:
        yield _("Who joins needs a reliability of %(count)d percent; who is new needs none.") % {
            "count": policy.least_reliability
        }


def _opening(policy: Policy) -> Iterator[str]:
    if policy.open_after:
        said = ngettext(
            "Who misses %(count)d turn loses his seat.",
            "Who misses %(count)d turns in a row loses his seat.",
            policy.open_after,
        )
        yield said % {"count": policy.open_after}
    else:
        yield _("Nobody loses his seat by missing turns.")
    keeper = _("the bot %(bot)s") % {"bot": policy.caretaker} if policy.caretaker else _("the rules' defaults")
    yield _("An open seat is played by: %(keeper)s.") % {"keeper": keeper}
    if policy.invite:
        yield _("People who stand by are asked whether they take it over.")


def _absences(policy: Policy) -> Iterator[str]:
    if policy.absence_days:
        said = ngettext(
            "Announced absences of a player move coming deadlines by %(count)d day at most, in all.",
            "Announced absences of a player move coming deadlines by %(count)d days at most, in all.",
            policy.absence_days,
        )
        yield said % {"count": policy.absence_days}
    else:
        yield _("Absences move no deadline in this game.")
