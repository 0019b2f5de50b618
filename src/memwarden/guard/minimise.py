"""Keep the least that serves: of a home address, the city."""

from __future__ import annotations

import re

_HOME = re.compile(
    r"\b(?:i(?:'m| am)? (?:live|living|stay|staying|reside|based)|my (?:home )?address|lives? at|home is)\b"
)
_POSTCODE = re.compile(r"\b(?:\d{3} ?\d{3}|\d{4,6}|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2})\b", re.IGNORECASE)
_COUNTRY = re.compile(
    r"(?:india|uk|u\.k\.|england|scotland|usa|u\.s\.a\.|united (?:states|kingdom)|spain|france|germany|ireland|canada|australia)\.?",
    re.IGNORECASE,
)
_CITY = re.compile(r"[^\W\d_][^\d,;:/]{1,40}")
_AREA = re.compile(
    r"\b(?:street|road|avenue|lane|nagar|colony|layout|sector|phase|block|flat|apartments?|floor|near|opposite)\b"
)


def city_of_address(text: str) -> str | None:
    """Return the city of a sentence that gives the speaker's home address, or None where it is not plain.

    It is the last part between commas that is a name: neither a postcode, a country, nor a part of the town.
    """
    if not _HOME.search(text.lower()):
        return None
    parts = [_POSTCODE.sub("", part).strip(" .-") for part in text.split(",")[1:]]
    named = [part for part in parts if part and not _COUNTRY.fullmatch(part)]
    if not named or not _CITY.fullmatch(named[-1]) or _AREA.search(named[-1].lower()):
        return None
    return named[-1]
