"""What a person can mend."""


class PlayError(ValueError):
    """Something cannot be done, for a reason that the person who asked for it can read and mend.

    Its text is a sentence in the active language, shown on the page or in the answer as it stands. Whoever raises it
    has changed nothing.
    """
