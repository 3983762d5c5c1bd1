"""People: who they are, their language, time zone, addresses and absences."""
