"""The demo: a whole game between mail addresses on real processes, and what its players do."""

import json
import os
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from games.engine import records
from games.engine.language import language
from games.engine.options import complete
from games.engine.registry import title
from postspiel.config.demo import players
from postspiel.config.demo.quoting import STYLES, Quoted, Style

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
def test_each_style_quotes_the_whole_mail_beside_the_answer(style: Style) -> None:
    mail = Quoted("A game <play@example.org>", "Mon, 2 Mar 2026 19:00", "Turn 1", "Dear player,\n\nsend A Red\ndone")
    body = style("bribe A 4000\ndone", mail)
    assert "bribe A 4000\ndone" in body
    assert all(line in body for line in ("Dear player,", "send A Red"))
    assert body.count("send A Red") == 1


@pytest.mark.parametrize(
    "line", ("bribe A 4000", "keep S Yellow", "entsende P Rot", "nimm A Grün 10000", "defend S 1000")
)
def test_a_slip_is_always_one_that_the_game_refuses(line: str) -> None:
    game = title("intrige")
    spoken = language(game, complete(game, {}, 4))
    for seed in range(20):
        slipped = players._spoiled(line, Random(seed))
        read = spoken.read(slipped)
        odd = [order.order.args.get("amount", order.order.args.get("area")) for order in read.orders]
        assert slipped != line
        assert read.problems or any(isinstance(one, int) and one % 1000 for one in odd), slipped


def test_only_lines_under_the_heading_of_refusals_count_as_refused() -> None:
    remark = "Remarks\n- Line 2, “send S Blue”: your own scholar sits there."
    refused = "What was not taken\n------\n- Line 1, “birbe”: unknown."
    assert players._complaint(remark) == ""
    assert players._complaint(f"{refused}\n\n{remark}") == "- Line 1, “birbe”: unknown."
    assert players._complaint("Was nicht angenommen wurde\n- Zeile 3, “x”: y") == "- Zeile 3, “x”: y"


def test_the_position_comes_from_the_attached_file_only() -> None:
    mail = EmailMessage()
    mail.set_content('{"title": "intrige"}')
    assert players._position(mail) is None
    mail.add_attachment(b'{"title": "intrige"}', maintype="application", subtype="json", filename="position.json")
    assert players._position(mail) == {"title": "intrige"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    (
        (("--title", "chess"), "no title called"),
        (("--seats", "9"), "is played by 3, 4, 5"),
        (("--option", "sealed=perhaps"), "sealed"),
        (("--option", "colour=blue"), "colour"),
        (("--option", "sealed", "--option", "open_cash"), "sealed"),
    ),
)
def test_a_demo_that_cannot_be_played_is_refused_in_a_sentence(arguments: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        call_command("demo", *arguments)


@pytest.mark.once
@pytest.mark.whole
@pytest.mark.long
def test_a_whole_game_is_played_by_mail_without_an_error(tmp_path: Path) -> None:
    """`make demo` plays Intrige, which has no short games; Kreml's Politburo of this seed is soon in one hand."""
    game = ("--title", "kreml", "--seats", "3", "--seed", "4", "--folder", str(tmp_path))
    command = (sys.executable, str(ROOT / "manage.py"), "demo", *game)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert (told["title"], told["seats"], told["errors"]) == ("kreml", 3, 0)
    assert told["turns"] >= 10
    assert told["mails_in"] >= told["turns"] - 1
    assert told["mails_out"] > told["mails_in"]
    assert sum(told["ladder"].values()) == pytest.approx(3 * 1500)
    record = records.decode(Path(told["record"]).read_bytes())
    assert records.verify(record).ok
    assert [list(step.outcome.places) for step in records.replay_steps(record) if step.outcome] == [
        told["outcome"]["places"]
    ]
    assert Path(told["report"]).read_bytes().startswith(b"%PDF")
