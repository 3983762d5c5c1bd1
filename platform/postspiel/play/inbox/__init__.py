"""Mail to a seat's address: who may act, what is carried out, what is answered (DESIGN section 5).

``seat`` is the handler of address kind "seat". It runs inside the transaction that stores the mail's verdict, so that
orders, press, answers and verdict are written together or not at all.
"""

from postspiel.play.inbox.authority import seat

__all__ = ["seat"]
