"""What page tests share."""

from tests.people import hugo, olga, paul, stella

__all__ = ("hugo", "olga", "paul", "stella")
