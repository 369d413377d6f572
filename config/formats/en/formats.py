"""How the panel writes dates, each in one piece; the pages of the site say theirs in their templates."""

DATE_FORMAT = "j\N{NO-BREAK SPACE}M\N{NO-BREAK SPACE}Y"
DATETIME_FORMAT = f"{DATE_FORMAT}, H:i"
TIME_FORMAT = "H:i"
