"""Some answers in the style of each mail program; `make corpus-full` reads all, also those held back."""

import pytest

from postspiel.mail.reading.broken import joined
from tests.mail import clients, corpus, styles

STEP = 61
"""Every so manieth mail of a style is read: no divisor of how many there are of a kind."""


@pytest.mark.pure
@pytest.mark.parametrize("style", clients.OPEN, ids=lambda style: style.name)
def test_exactly_the_players_orders_are_taken(style: clients.Style) -> None:
    first = clients.OPEN.index(style) % STEP
    found = corpus.read(styles.answers(style, some=slice(first, None, STEP)))
    assert found.mails > 4
    assert not found.wrong + found.missed


def test_the_corpus_notices_what_it_looks_for() -> None:
    answer = next(styles.answers(clients.OPEN[0]))
    more = styles.Answer("more", answer.raw, answer.sent, [*answer.orders, "keep A"])
    less = styles.Answer("less", answer.raw, answer.sent, answer.orders[:1])
    found = corpus.read([answer, more, less])
    assert (len(found.missed), len(found.wrong)) == (1, 1)


def test_a_third_of_many_styles_is_held_back() -> None:
    assert len(clients.STYLES) >= 60
    assert len(clients.HELD_BACK) == len(clients.STYLES) // 3
    assert len(clients.HELD_BACK) + len(clients.OPEN) == len({style.name for style in clients.STYLES})


LONG = "protect Pelzmützin, Ordenskaja, Traktorow, Rubelow, Tundrow, Samowarow"


@pytest.mark.parametrize(
    ("text", "orders"),
    (
        (f"{LONG},\nAktenjew and Satin\ndone", [f"{LONG}, Aktenjew, Satin"]),
        (f"{LONG}\nI think so.\ndone", [LONG]),
        (f"{LONG}\nbid 7 on Satin", [LONG, "bid 7 on Satin"]),
        ("bid 7 on Satin\nwhen votes no", ["bid 7 on Satin"]),
    ),
    ids=("broken", "prose below", "order below", "short lines"),
)
def test_only_what_a_program_broke_is_put_together(text: str, orders: list[str]) -> None:
    spoken = styles.ours("kreml", "en").spoken
    assert [spoken.write(one.order, "en") for one in spoken.read(joined(text, spoken, spoken.means)).orders] == orders
