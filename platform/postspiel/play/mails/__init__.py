"""What mails about games say (DESIGN section 5): one renderer for each kind in ``config.kinds.MAIL_KINDS``.

A renderer runs when its mail is sent, in the reader's language and zone; everything it shows of a game is what the
reader's seat may see.
"""
