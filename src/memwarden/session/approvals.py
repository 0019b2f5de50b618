"""What waits for somebody's approval, and what was decided, as an agent says it or a tool's result shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from memwarden.guard.normalise import fold, fold_lexicon
from memwarden.guard.rule import first_hits
from memwarden.guard.steering import INSTRUCTIONS
from memwarden.session.admissible import speaks_of_consent
from memwarden.session.identifiers import Identifier, identifier_under, identifiers_in
from memwarden.session.ledger_sentences import Sentence, beginning, one_line, sentences
from memwarden.session.stance import about, doubted, turned

MAX_TEXT = 200_000
"""Characters of one message that are looked through."""
_MAX_LABEL = 200
_MAX_DEPTH = 12


class Approval(NamedTuple):
    """Something that waits for approval; with an empty text, something that does so no longer."""

    about: str
    text: str


_CONCERNS = re.compile(
    r"approv|pending|await|waiting|reject|declin|denied|refus|cancel|withdrawn|closed|completed|done|resolved|decision|sign.?off|authori[sz]|attente|attend|approb|attesa|aguard|pend[ie]|esper|wacht|wartet|warten|freigabe|aprob|aprov"
    r"|rechaz|rejeit|recus|cerrad|rejet|annul|valid|genehm|abgelehnt|storn|erledigt|geschlossen|goedk|goedg|afgew|geann|rifiut|chius"
    r"|मंज|अनुमोदन|स्वीक|रद्द|ఆమోద|తిరస్కరి|రద్దు"
)
_WAITS = re.compile(
    fold_lexicon(
        r"\b(?:pending|awaiting|awaits?|waiting (?:for|on)|waits for|submitted for|sent for|needs?|requires?)\b[^.;!?]{0,60}\b(?:approv\w*|decision|sign-?off|authori[sz]ation)"
        r"|\b(?:pending|awaiting|waiting)[_ -](?:for[_ -])?(?:manager[_ -]|hr[_ -])?(?:approval|decision|review)\b"
        r"|\b(?:approval|decision|sign-?off)[_ ](?:is |still |is still )?(?:pending|outstanding|required)\b"
        r"|\b(?:pendiente|espera|esperando|a la espera)\b[^.;!?]{0,40}\b(?:aprobación|autorización|decisión)"
        r"|\ben attente\b[^.;!?]{0,40}\b(?:approbation|validation|décision|accord)|\battend\b[^.;!?]{0,40}\b(?:approbation|validation|décision)"
        r"|\b(?:wartet|warten)\b[^.;!?]{0,40}\b(?:genehmigung|freigabe|zustimmung|entscheidung)|\b(?:genehmigung|freigabe)\b[^.;!?]{0,20}\b(?:ausstehend|steht\b.{0,12}\baus)\b"
        r"|\b(?:aguarda\w*|pendente)\b[^.;!?]{0,40}\b(?:aprovação|autorização|decisão)|\bin attesa\b[^.;!?]{0,40}\b(?:approvazione|autorizzazione|decisione)"
        r"|\b(?:wacht\w*)\b[^.;!?]{0,40}\b(?:goedkeuring|toestemming|beslissing)"
        r"|(?:मंज़ूरी|मंजूरी|अनुमोदन|स्वीकृति).{0,20}(?:इंतज़ार|इंतजार|प्रतीक्षा|लंबित|बाकी)|ఆమోదం.{0,20}(?:వేచి|పెండింగ్)"
    )
)
_ONLY_NEEDS = re.compile(r"\b(?:needs?|requires?)\b|[_ ]required\b")
_DECIDED = re.compile(
    fold_lexicon(
        r"\b(?:approved|rejected|declined|denied|refused|cancell?ed|withdrawn|closed|completed|done|resolved)\b"
        r"|\b(?:aprobad|rechazad|cancelad|cerrad|aprovad|rejeitad|recusad|approvat|rifiutat|annullat)[oaie]s?\b|\bchius[oaie]\b"
        r"|\b(?:approuvé|rejeté|refusé|annulé|clôturé|validé)e?s?\b|\b(?:genehmigt|abgelehnt|storniert|geschlossen|erledigt|goedgekeurd|afgewezen|geannuleerd|gesloten)\b"
        r"|(?:स्वीकृत|मंज़ूर|मंजूर|अस्वीकृत|रद्द)(?= )|ఆమోదించబడింది|తిరస్కరించబడింది|రద్దు చేయబడింది"
    )
)
_RULED = re.compile(r"\b(?:approved|rejected|declined|denied|refused|cancell?ed|withdrawn)\b")
"""What is said of a request alone; without its number, "done" may be said of anything."""
_NOT_YET = re.compile(
    fold_lexicon(
        r"\b(?:will|shall|can|may|must|should|be|getting|get|yet|await\w*|pending|wait\w*|partially|partly|to be|need\w*|require\w*|wird|werden|muss|sera|seront|sera|será|serà|verrà|wordt|worden|debe|doit|peut|puede|kann)\b"
    )
)
_HYPOTHETICAL = re.compile(
    r"^(?:is|are|was|were|has|have|do|does|did|if|which|what|when|whether|once|should|can|could|would|shall|any)\b"
)
_REFERS = re.compile(
    fold_lexicon(
        r"(?:it|it's|this|that|(?:the|your|this) (?:request|ticket|application|case)|es|er|sie|dieser?|(?:der|ihr|dein) (?:antrag|vorgang)|(?:la|su|tu) solicitud|está"
        r"|(?:la|votre|ta) demande|elle|il|(?:a|o|sua|seu) (?:solicitação|pedido)|(?:la|sua|tua) richiesta|het|(?:de|uw|je) aanvraag)\b"
    )
)
_STATUS_WORDS = re.compile(
    r"\b(?:request|requests|approv\w*|reject\w*|declined|denied|refused|cancel\w*|withdrawn|closed|completed|done|resolved|pending|await\w*|wait\w*|decision|sign-?off|manager'?s?|hr|still|been|needs?|requires?|submitted|sent|currently)\b"
)
_NO_MORE = re.compile(r"\b(?:no longer|not|n't)\b")

_WAITING_STATE = re.compile(
    r"(?:.* )?(?:pending|awaiting|waiting|needs|requires)(?: for)?(?: \w+){0,2} (?:approval|decision|sign ?off|authori[sz]ation|review)$|(?:approval|decision) (?:pending|required)$|submitted for approval$|in approval$"
)
_BARE_STATE = frozenset({"pending", "waiting", "awaiting", "open", "requested", "required", "outstanding"})
_FINAL_STATE = frozenset(
    "approved rejected declined denied refused cancelled canceled withdrawn closed completed complete done resolved granted expired".split()
)
_STATE_KEY = re.compile(r"(?:.*_)?(?:status|state|approval|decision|stage|outcome|result)$")
_APPROVAL_KEY = re.compile(r"approv|decision|sign_?off")
_FLAG = re.compile(r"(?:requires?|needs?|awaiting|pending)_approval|approval_(?:required|pending)$")
_TITLES = ("title", "subject", "summary", "description", "name")
_KINDS = ("type", "kind", "category", "leave_type", "reason")
_DATES = (
    "dates",
    "date",
    "period",
    "from",
    "start",
    "start_date",
    "to",
    "until",
    "end",
    "end_date",
    "amount",
)


def steers(text: str) -> bool:
    """Tell whether a text would order an agent about, so that no prompt should repeat it."""
    return next(iter(first_hits(INSTRUCTIONS, fold(text))), None) is not None


def _waiting(identifier: Identifier, label: str) -> Approval:
    shown = one_line(label)
    if shown and not steers(shown) and not speaks_of_consent(shown):
        return Approval(
            identifier.same, f"Waiting for approval: {identifier.written} ({beginning(shown, _MAX_LABEL)})"
        )
    return Approval(identifier.same, f"Waiting for approval: {identifier.written}")


def _subject(lower: str) -> str:
    return about(_STATUS_WORDS.sub(" ", lower))


def _opened(sentence: Sentence, found: list[Identifier]) -> Iterator[Approval]:
    lower = sentence.lower
    if _HYPOTHETICAL.match(lower) or _NO_MORE.search(lower):
        return
    for identifier in found:
        yield _waiting(identifier, sentence.written)
    if not found and not sentence.asks and not _ONLY_NEEDS.search(lower) and not steers(sentence.written):
        quoted = beginning(sentence.written, _MAX_LABEL).replace('"', "'")
        yield Approval(_subject(lower), f'Waiting for approval: "{quoted}"')


def _closed(sentence: Sentence, found: list[Identifier]) -> Iterator[Approval]:
    lower = sentence.lower
    # "rejected" and its like take back, which is what a decision may do; any other turn is a doubt
    if sentence.asks or _HYPOTHETICAL.match(lower) or _NOT_YET.search(lower):
        return
    if doubted(lower) or turned(_DECIDED.sub(" ", lower)):
        return
    for identifier in found:
        yield Approval(identifier.same, "")
    if not found and _RULED.search(lower) and (subject := _subject(lower)):
        yield Approval(subject, "")


def _clauses(sentence: Sentence) -> Iterable[Sentence]:
    """Part a sentence in which one thing waits and another is decided."""
    if not (_WAITS.search(sentence.lower) and _DECIDED.search(sentence.lower)):
        return (sentence,)
    parts = re.split(r"[;,]\s|\s(?:and|but|while|whereas|und|y|et|e|en)\s", sentence.written)
    return (part for written in parts for part in sentences(written))


def said_in(text: str) -> list[Approval]:
    """Return what the sentences of a text say to wait for approval or to be decided, in order."""
    text = text[:MAX_TEXT]
    if _CONCERNS.search(text.lower()) is None:
        return []
    lines = dict.fromkeys(line for line in text.splitlines() if _CONCERNS.search(line.lower()))
    concerned = (s for line in lines for s in sentences(line) if _CONCERNS.search(s.written.lower()))
    clauses = (clause for sentence in concerned for clause in _clauses(sentence))
    return [approval for clause in clauses for approval in _said(clause, text)]


def _said(clause: Sentence, text: str) -> Iterator[Approval]:
    """Yield what a clause says; "it" is the one thing with a number in its text, if there is one."""
    waits = _WAITS.search(clause.lower) is not None
    if not waits and _DECIDED.search(clause.lower) is None:
        return iter(())
    found = identifiers_in(clause.written)
    if not found and _REFERS.match(clause.lower) and len(sole := identifiers_in(text)) == 1:
        found = sole
    return _opened(clause, found) if waits else _closed(clause, found)


def parsed(text: str) -> object:
    """Return the object or list that a tool's result is in JSON, or null."""
    if not text.lstrip()[:1] or text.lstrip()[0] not in "{[":
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def objects_in(value: object, key: str = "", depth: int = 0) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield every object inside a parsed JSON value, the outer first, with the key it stands under."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        yield key, value
        for name, inner in value.items():
            yield from objects_in(inner, name, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from objects_in(inner, key, depth + 1)


def identifiers_of(fields: Mapping[str, object]) -> list[Identifier]:
    """Return the identifiers that one object names under keys made for them, the surest key first."""
    found = ((name, identifier_under(name, value)) for name, value in fields.items())
    named = [(name, identifier) for name, identifier in found if identifier is not None]
    return [identifier for _, identifier in sorted(named, key=lambda pair: len(pair[0]) > 2)]


def _state(fields: Mapping[str, object], under: str) -> str | None:
    """Return "waiting" or "decided", as far as an object says so."""
    for name, value in fields.items():
        key = name.casefold()
        if value is True and (_FLAG.search(key) or key == "approved"):
            return "decided" if key == "approved" else "waiting"
        if not isinstance(value, str) or not _STATE_KEY.match(key):
            continue
        state = re.sub(r"[\s_-]+", " ", value.casefold()).strip()
        if _WAITING_STATE.match(state) or (state in _BARE_STATE and _APPROVAL_KEY.search(f"{under} {key}")):
            return "waiting"
        if state in _FINAL_STATE:
            return "decided"
    return None


def _label(fields: Mapping[str, object]) -> str:
    texts = {
        name.casefold(): value for name, value in fields.items() if isinstance(value, str) and value.strip()
    }
    titles = [texts[name] for name in _TITLES if name in texts][:1]
    kinds = [texts[name] for name in _KINDS if name in texts][:1]
    return " ".join(titles or [*kinds, *(texts[name] for name in _DATES if name in texts)])


def shown_in(value: object) -> list[Approval]:
    """Return what the objects of a tool's result show to wait for approval or to be decided, in order."""
    found: list[Approval] = []
    nearest: list[Identifier] = []
    for under, fields in objects_in(value):
        named = identifiers_of(fields) or (nearest if _APPROVAL_KEY.search(under.casefold()) else [])
        nearest = named or nearest
        state = _state(fields, under.casefold())
        if state is None or not named:
            found += (said for text in fields.values() if isinstance(text, str) for said in said_in(text))
            continue
        found.append(
            _waiting(named[0], _label(fields)) if state == "waiting" else Approval(named[0].same, "")
        )
    return found
