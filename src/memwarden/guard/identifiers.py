"""Government and financial numbers, in full: by check digit, by shape, or by the word beside them.

A word beside the number outweighs a failed check: a mistyped Aadhaar is still meant as one. Numbers
that people quote at work (orders, tickets, builds) stand beside words too, and those speak for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memwarden.guard import checksums
from memwarden.guard.hit import Hit
from memwarden.guard.normalise import Folded, fold_lexicon
from memwarden.model.verdict import Reason

_NEAR = 48
_LONG_DIGITS = re.compile(r"(?<![A-Za-z0-9_.#-])\d(?:[ .-]{0,2}\d){8,18}(?![A-Za-z0-9_]|[.-]\d)", re.ASCII)


def _near_word(words: str) -> re.Pattern[str]:
    return re.compile(fold_lexicon(words))


_AADHAAR = _near_word(r"aadh?a+r|adhaar|uidai|\buid\b|\bvid\b|आधार|ఆధార్|ஆதார்|ಆಧಾರ್|ആധാർ|আধার|આધાર")
_CARD = _near_word(
    r"\bcards?\b|visa\b|master ?card|maestro|amex|american express|rupay|credit|debit|diners|tarjeta|carte|karte"
    r"|cartao|kreditkarte|कार्ड|కార్డు?|அட்டை|カード|信用卡|卡号|بطاقة|\bmc\b"
)
_ACCOUNT = _near_word(
    r"\b(?:bank|savings?|salary|current|checking|payroll|deposit)\b.{0,30}\b(?:account|a/c|acct?|ac)\b|\baccount (?:no|number|#)"
    r"|\ba/c\b|\bacct?\b|\bacc(?:ount)? no|\baccount\b|\biban\b|routing|sort code|\bifsc\b|khata|khaata|खाता|ఖాతా|கணக்கு"
    r"|cuenta|compte|konto(?:nummer)?|\bconta\b|\bclabe\b|\bcbu\b|账号|账户|口座|حساب"
)
_NATIONAL = _near_word(
    r"social security|\bssn\b|\bsin\b|national (?:id|insurance)|\bnino\b|\bnhs (?:no|number)|medicare|\bnric\b|\bbsn\b"
    r"|tax(?:payer)?[\s-]?(?:id|number|file|identification)|\btfn\b|\btin\b|\bitin\b|\bein\b|\bnif\b|\bnie\b|\bdni\b|\bcpf\b|\bcnpj\b"
    r"|\bcurp\b|\brfc number|\bpesel\b|codice fiscale|steuer[\s-]?(?:id|nummer|identifikation)|sozialversicherung|personalausweis"
    r"|\bsecu\b|securite sociale|\bnir\b|\bnir\b|my ?number|マイナンバー|個人番号|身份证|身分证|护照|パスポート|\bpan\b|पैन|పాన్|பான்"
    r"|\buan\b|\bepf\b|\bpf\b (?:no|number|uan|account)|\babha\b|voter|\bepic\b|ration card|identity (?:card|number|no)|\bid card"
    r"|driv(?:ing|er'?s?) licen[cs]e|\bdl (?:no|number)|licen[cs]e (?:no|number|to drive)|fuhrerschein|permis de conduire|permiso de conducir"
    r"|passport|passeport|pasaporte|reisepass|passaporte|पासपोर्ट|పాస్‌పోర్ట్|residence permit|green card|\bvisa (?:no|number)|هوية|جواز"
)
_HARMLESS = re.compile(
    r"\b(?:order|invoice|awb|courier|tracking|ticket|isbn|issn|epoch|build|extension|ext|employee|phone|mobile|imei|ean|upc"
    r"|serial|asset|version|case|ref|reference|request|port|commit|timestamp|pedido|commande|auftrag|bestellung|cost cent)\b"
)
_IDENTITY_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_])[A-Za-z0-9](?:[ ./-]?[A-Za-z0-9]){4,24}(?![A-Za-z0-9_])", re.ASCII
)
_ACCOUNT_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d(?:[ -]?\d){5,19}(?![A-Za-z0-9_])", re.ASCII)
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}|[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30})(?![A-Za-z0-9])",
    re.ASCII,
)
_PAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![A-Za-z0-9])", re.ASCII)
_SPANISH_DNI = re.compile(r"(?<![A-Za-z0-9])(\d{8})[ -]?([A-Z])(?![A-Za-z0-9])", re.ASCII)
_CHINESE_ID = re.compile(r"(?<![A-Za-z0-9])\d{17}[\dXx](?![A-Za-z0-9])", re.ASCII)
_UPI_HANDLES = (
    "upi|ybl|ibl|axl|apl|yapl|rapl|paytm|ptyes|ptaxis|pthdfc|ptsbi|okaxis|okhdfcbank|okicici|oksbi|axisbank|hdfcbank"
    "|icici|sbi|kotak|barodampay|idfcbank|indus|federal|yesbank|airtel|jio|fam|freecharge|mobikwik|amazonpay|waaxis"
    "|wahdfcbank|waicici|wasbi|slice|superyes|naviaxis|cnrb|pnb|boi|unionbank|uboi|kbl|dbs|rbl|hsbc|citi|aubank"
)
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("gstin", re.compile(r"(?<![A-Za-z0-9])\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z](?![A-Za-z0-9])", re.ASCII | re.I)),
    ("ssn", re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])", re.ASCII)),
    ("nino", re.compile(r"(?<![A-Za-z0-9])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![A-Za-z0-9])", re.ASCII)),
    ("curp", re.compile(r"(?<![A-Za-z0-9])[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d(?![A-Za-z0-9])", re.ASCII)),
    ("cnpj", re.compile(r"(?<![\w.])\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}(?![\w-])", re.ASCII)),
    ("cpf", re.compile(r"(?<![\w.])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])", re.ASCII)),
    ("codice_fiscale", re.compile(r"(?<![A-Za-z0-9])[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?![A-Za-z0-9])", re.ASCII)),
    ("driving_licence", re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[ -]?\d{2}[ -](?:19|20)\d{2}[ -]?\d{7}(?![A-Za-z0-9])", re.ASCII)),
    ("upi_id", re.compile(rf"(?<![\w.-])[A-Za-z0-9][\w.-]{{1,60}}@(?:{_UPI_HANDLES})(?![\w.-]*\w)", re.ASCII | re.I)),
)  # fmt: skip


def _context(lower: str, start: int, end: int) -> str:
    """Return the words around a number, not beyond its sentence on the left."""
    before = lower[max(0, start - _NEAR) : start].replace("no. ", "no  ").replace("nr. ", "nr  ")
    for stop in (". ", "; ", "\n"):
        before = before.rpartition(stop)[2]
    return before + " # " + lower[end : end + 24]


def _digits(text: str) -> str:
    return "".join(ch for ch in text if ch.isdigit())


def _card(digits: str, context: str) -> bool:
    if _CARD.search(context) and 12 <= len(digits) <= 19:
        return True
    issuer = digits[0] in "3456" or "2221" <= digits[:4] <= "2720"
    return issuer and 13 <= len(digits) <= 19 and checksums.luhn(digits) and not _HARMLESS.search(context)


def _aadhaar(digits: str, context: str) -> bool:
    if _AADHAAR.search(context):
        return len(digits) in (12, 16)
    return (
        len(digits) == 12
        and digits[0] in "23456789"
        and checksums.verhoeff(digits)
        and not _HARMLESS.search(context)
    )


def _long_numbers(source: Folded) -> Iterator[Hit]:
    for match in _LONG_DIGITS.finditer(source.text):
        digits = _digits(match.group())
        context = _context(source.lower, *match.span())
        kind = None
        if _aadhaar(digits, context):
            kind = "aadhaar"
        elif _card(digits, context):
            kind = "payment_card"
        elif len(digits) == 15 and digits[0] in "12" and checksums.french_nir(digits):
            kind = "french_nir"
        elif len(digits) == 11 and match.group().count(".") == 2 and checksums.cpf(digits):
            kind = "cpf"
        if kind is not None:
            yield Hit(Reason.IDENTIFIER, kind, *match.span())


def _checked(source: Folded) -> Iterator[Hit]:
    for match in _IBAN.finditer(source.text):
        compact = match.group().replace(" ", "").replace("-", "")
        if "iban" in _context(source.lower, *match.span()) or (
            match.group()[:2].isupper() and len(compact) <= 34 and checksums.iban(compact)
        ):
            yield Hit(Reason.IDENTIFIER, "iban", *match.span())
    for match in _PAN.finditer(source.text):
        yield Hit(Reason.IDENTIFIER, "pan", *match.span())
    for match in _SPANISH_DNI.finditer(source.text):
        if checksums.dni(match.group(1), match.group(2)):
            yield Hit(Reason.IDENTIFIER, "dni", *match.span())
    for match in _CHINESE_ID.finditer(source.text):
        if checksums.chinese_id(match.group()):
            yield Hit(Reason.IDENTIFIER, "chinese_id", *match.span())


def _worded(source: Folded) -> Iterator[Hit]:
    """Numbers that are identifiers because a word beside them says so."""
    lower = source.lower
    if _NATIONAL.search(lower):
        for match in _IDENTITY_TOKEN.finditer(source.text):
            span = _number_part(match)
            if span and _NATIONAL.search(_context(lower, *span)):
                yield Hit(Reason.IDENTIFIER, "identity_number", *span)
    if _ACCOUNT.search(lower):
        for match in _ACCOUNT_NUMBER.finditer(source.text):
            context = _context(lower, *match.span())
            if _ACCOUNT.search(context) and not _HARMLESS.search(context):
                yield Hit(Reason.IDENTIFIER, "bank_account", *match.span())


_BLANK_WORD = re.compile(r"^(?:[A-Za-z]{2,}[ ./-])+", re.ASCII)
_LAST_WORD = re.compile(r"(?:[ ./-][A-Za-z]{2,})+$", re.ASCII)


def _number_part(match: re.Match[str]) -> tuple[int, int] | None:
    """Return the part of a run of words and digits that is the number, if it has five digits or more."""
    text = match.group()
    lead = _BLANK_WORD.match(text)
    start = lead.end() if lead else 0
    trail = _LAST_WORD.search(text, start)
    end = trail.start() if trail else len(text)
    if sum(ch.isdigit() for ch in text[start:end]) < 4 or end - start < 6:
        return None
    return match.start() + start, match.start() + end


_BORN = re.compile(
    fold_lexicon(
        r"\b(?:date of birth|d\.?o\.?b\b\.?|born on|birth ?date|birthday|fecha de nacimiento|date de naissance|geburtsdatum|geboren am"
        r"|nascimento|janm ?din|जन्म\s?(?:तिथि|दिन)|పుట్టిన\s?(?:తేదీ|రోజు)|பிறந்த\s?(?:நாள்|தேதி)|出生日期|生年月日)"
    )
)
_DATE = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.)? (?:de )?[a-z]{3,10}(?: de)?,? \d{4}|[a-z]{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
)


def _birth_dates(source: Folded) -> Iterator[Hit]:
    word = _BORN.search(source.lower)
    if word:
        for match in _DATE.finditer(source.lower, word.end(), word.end() + 60):
            yield Hit(Reason.IDENTIFIER, "birth_date", *match.span())


def find_identifiers(source: Folded) -> list[Hit]:
    """Return every government or financial number in one reading of a text."""
    if not any(ch.isdigit() for ch in source.text) and "@" not in source.text:
        return []
    hits = list(_long_numbers(source))
    hits.extend(_checked(source))
    hits.extend(_worded(source))
    hits.extend(_birth_dates(source))
    for kind, pattern in _SHAPES:
        hits.extend(Hit(Reason.IDENTIFIER, kind, *match.span()) for match in pattern.finditer(source.text))
    return hits
