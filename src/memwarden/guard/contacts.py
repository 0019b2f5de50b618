"""Contact details: no secret, but more than most memories need, so they are left out where one can."""

from __future__ import annotations

import re

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}")
_PHONE = re.compile(r"(?<![\w./-])\+?\(?\d{1,4}\)?(?:[ -]?\(?\d{2,5}\)?){2,4}(?![\w./-]|\.\d)")
_PHONE_WORD = re.compile(
    r"\b(?:phone|mobile|cell|whatsapp|call me|text me|reach me|ring me|my number|number is|telefono|movil|telephone|telefon|handy|celular|contact)\b"
)
_STREET = re.compile(
    r"\b(?:flat|apartment|apt|house|plot|door) (?:no\.? ?)?#?\d+\w?\b|\b\d{1,5}[a-z]?,? (?:\w+ ){1,3}(?:street|road|rd|avenue|ave|lane|drive|nagar|colony|layout|marg|boulevard|blvd|close|court|way)\b"
)
_HARMLESS = re.compile(r"\b(?:support desk|helpdesk|toll[- ]free|extension|ext|hotline|service desk)\b")


def find_contacts(lower: str) -> list[tuple[int, int, str]]:
    """Return (start, end, kind) of the speaker's contact details in a folded lower-case text."""
    found = [(*match.span(), "email_address") for match in _EMAIL.finditer(lower)]
    found.extend((*match.span(), "street_address") for match in _STREET.finditer(lower))
    if _PHONE_WORD.search(lower) and not _HARMLESS.search(lower):
        found.extend(
            (*match.span(), "phone_number")
            for match in _PHONE.finditer(lower)
            if 8 <= sum(ch.isdigit() for ch in match.group()) <= 15
        )
    return sorted(found)


_CHANNEL = re.compile(
    r"\b(?:call|ring|text|reach|message|whatsapp|sms|mail|e-?mail|contact|notify|ping|write to|send|phone|callbacks?|llamame|escribeme|appelez|ruf)\w*\b"
)
_STATES_IT = re.compile(
    r"\b(?:my|the) (?:\w+ )?(?:number|phone|mobile|e-?mail|address)(?: address| number)? is\b"
)


def is_channel_preference(lower: str) -> bool:
    """Tell whether a folded lower-case text says how its speaker wants to be reached, which needs the detail itself."""
    return _CHANNEL.search(lower) is not None and _STATES_IT.search(lower) is None
