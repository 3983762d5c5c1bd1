"""A short run of the fuzzer; `make fuzz-mail` is the long one."""

import os
import resource

import pytest

from games.engine import registry
from postspiel.mail.explaining import explain
from tests.mail import fuzzing

MAILS = int(os.environ.get("FUZZ_MAILS", "400"))
FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
MEGABYTES = 200


def test_damaged_mails_are_read_and_bring_no_order_that_is_not_their_own() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    verdicts = fuzzing.run(MAILS, FIRST)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 - before
    print(f"{sum(verdicts.values())} mails: {dict(verdicts)}, {grown} MB more than before")
    assert sum(verdicts.values()) == MAILS
    assert {"accepted", "partial", "rejected", "held", "dropped"} <= set(verdicts), "the mails are not all alike"
    assert grown < MEGABYTES


def test_the_fuzzer_finds_what_it_looks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    sent, title = [(fuzzing.CASES / "sent.eml").read_bytes()], registry.title("intrige")
    raw = b"From: a@b\n\nbribe P 2000\n"
    assert fuzzing.checked(raw, sent, title).verdict == "accepted"
    monkeypatch.setattr(fuzzing, "SECONDS", 0.0)
    with pytest.raises(AssertionError, match="It took"):
        fuzzing.checked(raw, sent, title)
    with pytest.raises(AssertionError, match="bribe P 2000"):
        fuzzing._must_be_its_own(b"From: a@b\n\n> bribe P 2000\n", explain(raw, title=title))
