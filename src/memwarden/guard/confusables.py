"""Characters that are drawn like others: letters of other alphabets, quotes, dashes, stops."""

from __future__ import annotations

from types import MappingProxyType

_PAIRS = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТХУҮԌԚԜӀ", "ABESIJKMHOPCTXYYGQWI"),
    ("аеіјорсѕухһԁԛԝӏҽѵѡүьгкмтнв", "aeijopcsyxhdqwlevwybrkmthb"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺ", "ABEZHIKMNOPTYXCM"),
    ("αγικνορυχϲεητω", "ayiknopuxcentw"),
    # Armenian and Cherokee
    ("օսզհցոՕՍՏԼ", "ouqhgnOUSL"),
    ("ᎪᏴᏟᎠᎬᎻᎢᎫᏦᏞᎷΝᏢᏒᏚᎢᏙᎳᎩᏃ", "ABCDEHIJKLMNPRSTVWYZ"),
    # Latin letters of their own
    ("ıɑɡɩʟɴʀᴀʙᴄᴅᴇꜰɢʜɪᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡʏᴢℓłđøħŧƒɓɗɛɔʋ", "iagilnrabcdefghijkmopstuvwyzlldohtfbdeov"),
    ("ŁĐØĦŦ", "LDOHT"),
    # punctuation
    ("‐‑‒–—―−﹘⁃", "---------"),
    ("‘’‚‛ʼ′`´", "''''''''"),
    ("“”„‟«»″", '"""""""'),
    ("।॥。、؟،؛।", "..." + ",?,;."),
)


def _table() -> dict[str, str]:
    table = {
        source: target
        for sources, targets in _PAIRS
        for source, target in zip(sources, targets, strict=False)
    }
    table.update({"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th"})
    for base in (0x1F150, 0x1F170):  # circled and squared letters in white on black have no decomposition
        table.update({chr(base + step): chr(ord("A") + step) for step in range(26)})
    return table


CONFUSABLES = MappingProxyType(_table())
"""What a look-alike is compared as."""
