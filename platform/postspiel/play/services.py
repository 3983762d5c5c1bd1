"""What others may do with games: the public face of play's write side. Each function is one transaction."""

from postspiel.play.acting import act_for, annul_game, end_game, force_turn, message, remove_player, swap_seats
from postspiel.play.assisting import add as add_assistant
from postspiel.play.assisting import remove as remove_assistant
from postspiel.play.channels import mail_addresses, mail_commands, renew_addresses
from postspiel.play.deadlines import extend, remind
from postspiel.play.demo import make_demo_game
from postspiel.play.errors import PlayError
from postspiel.play.feeds import close as close_feed
from postspiel.play.feeds import renew as renew_feed
from postspiel.play.games import cancel as cancel_game
from postspiel.play.games import create as create_game
from postspiel.play.games import start as start_game
from postspiel.play.holds import release as release_hold
from postspiel.play.pausing import pause_game, resume_game
from postspiel.play.policies import Policy
from postspiel.play.press import Terms as PressTerms
from postspiel.play.press import release as release_press
from postspiel.play.press import send as send_press
from postspiel.play.records import export_record, import_record
from postspiel.play.replacing import invite_replacement, open_seat, reclaim, replace_player, take_over
from postspiel.play.rollback import roll_back
from postspiel.play.schedule import Schedule
from postspiel.play.seats import ask_resignation, put_bot, resign, seat_bot
from postspiel.play.seats import clear as clear_seat
from postspiel.play.seats import join as join_game
from postspiel.play.seats import leave as leave_game
from postspiel.play.sheets import HandedIn, hand_in
from postspiel.play.standing_by import stand_by
from postspiel.play.standing_by import withdraw as withdraw_stand_by
from postspiel.play.sweeping import sweep
from postspiel.play.turns import advance
from postspiel.play.votes import MOTIONS, propose, propose_end, withdraw, withdraw_end

__all__ = [
    "MOTIONS",
    "HandedIn",
    "PlayError",
    "Policy",
    "PressTerms",
    "Schedule",
    "act_for",
    "add_assistant",
    "advance",
    "annul_game",
    "ask_resignation",
    "cancel_game",
    "clear_seat",
    "close_feed",
    "create_game",
    "end_game",
    "export_record",
    "extend",
    "force_turn",
    "hand_in",
    "import_record",
    "invite_replacement",
    "join_game",
    "leave_game",
    "mail_addresses",
    "mail_commands",
    "make_demo_game",
    "message",
    "open_seat",
    "pause_game",
    "propose",
    "propose_end",
    "put_bot",
    "reclaim",
    "release_hold",
    "release_press",
    "remind",
    "remove_assistant",
    "remove_player",
    "renew_addresses",
    "renew_feed",
    "replace_player",
    "resign",
    "resume_game",
    "roll_back",
    "seat_bot",
    "send_press",
    "stand_by",
    "start_game",
    "swap_seats",
    "sweep",
    "take_over",
    "withdraw",
    "withdraw_end",
    "withdraw_stand_by",
]
