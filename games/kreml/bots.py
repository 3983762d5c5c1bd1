"""Players that are functions of what their seat sees."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.contract import Bot
from games.kreml.apparatchik import apparatchik_bot
from games.kreml.randomly import random_bot
from games.kreml.state import State

BOTS: Mapping[str, Bot[State]] = {"random": random_bot, "apparatchik": apparatchik_bot}
