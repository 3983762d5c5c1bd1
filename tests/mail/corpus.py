"""Reading the corpus (`make corpus-full`): each answer of `styles` must bring exactly the orders of its writer."""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from postspiel.mail.explaining import explain
from tests.mail import clients, styles
from tests.mail.styles import Answer


@dataclass
class Found:
    """What became of the mails: how many had which verdict, and those that were not as they should be.

    `wrong` brought an order that was not given; `missed` were not accepted, or not with all their orders.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def mails(self) -> int:
        """How many were read."""
        return self.verdicts.total()

    @property
    def right(self) -> float:
        """The share that was accepted with exactly its orders."""
        return 1 - (len(self.wrong) + len(self.missed)) / self.mails

    @property
    def held(self) -> float:
        """The share that would wait for its writer's confirmation."""
        return self.verdicts["held"] / self.mails


def read(answers: Iterable[Answer]) -> Found:
    """Read mails as `manage.py mail explain` does. One without orders is right if it is rejected."""
    found = Found()
    for answer in answers:
        got = explain(answer.raw, answering=[answer.sent.raw], title=answer.sent.title)
        orders = [line.text for line in got.orders]
        found.verdicts[got.verdict] += 1
        if got.verdict in {"accepted", "partial"} and not _within(orders, answer.orders):
            found.wrong.append(f"{answer.name}: {got.verdict} {got.reason} {orders}")
        elif got.verdict != ("accepted" if answer.orders else "rejected") or orders != answer.orders or got.problems:
            found.missed.append(f"{answer.name}: {got.verdict} {got.reason} {orders} {got.problems}")
    return found


def _within(orders: list[str], given: list[str]) -> bool:
    return not Counter(orders) - Counter(given)


def main() -> int:
    """Read all open styles, or with HELD_BACK=1 the others, and say what was found."""
    which = clients.HELD_BACK if os.environ.get("HELD_BACK") else clients.OPEN
    each = {style.name: read(styles.answers(style)) for style in which}
    whole = Found(
        sum((one.verdicts for one in each.values()), Counter()),
        [line for one in each.values() for line in one.wrong],
        [line for one in each.values() for line in one.missed],
    )
    for name, one in each.items():
        print(f"{name:28} {one.mails:5} mails, right {one.right:8.3%}, wrong {len(one.wrong)}, held {one.held:.2%}")
    print(*whole.wrong[:50], *whole.missed[: int(os.environ.get("SHOW", "50"))], sep="\n")
    print(
        f"{len(which)} styles, {whole.mails} mails: right {whole.right:.3%}, wrong {len(whole.wrong)}, "
        f"held {whole.held:.3%}; {dict(whole.verdicts)}"
    )
    return int(bool(whole.wrong) or whole.right < 0.99)
