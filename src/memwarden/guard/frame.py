"""The frame: what a durable statement about the speaker, or a wish about form, looks like.

Default deny rests on this. A sentence that fits no frame is not stored, however harmless it seems; the
user is asked instead. Each sentence of a text has to fit, and none may turn to the agent.
"""

from __future__ import annotations

import re

from memwarden.guard.frame_fragments import fits_fragment
from memwarden.guard.frame_languages import fits_other_language
from memwarden.guard.frame_words import (
    DURABLE_VERBS,
    ELLIPTICAL_VERBS,
    FORM_VERBS,
    FORM_WORDS,
    NOT_HABITUAL,
    PAST_VERBS,
    ROLES,
)

_SENTENCE_END = re.compile(r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\b[a-z])[.!?]+[\"')]*\s+|;\s+|\n+")
_WORD = re.compile(r"[^\W_]+(?:['.#+/:&-]+[^\W_]+)*[#+]*")
_ADVERB = r"(?:(?:also|usually|mostly|mainly|generally|normally|often|always|never|sometimes|typically|really|actually|still|just|only|much|personally|primarily|occasionally|rarely|now|then|preferably|currently|both|do|don't|do not|did|have|'ve|had|'d|would|much|rather|regularly|strongly|generally|would|can(?= (?:read|speak|understand|write|follow|work|type|code|drive)\b))\s+)*"
_LEAD = r"(?:(?:at|for|in|on|when|since|outside|as|during|before|after|because|with|from|by|usually|mostly|generally|normally|personally|btw|also|and|but|so|well|if|while)\b[^,;]{0,60}?,?\s+)?"
_FIRST_PERSON = re.compile(
    rf"^{_LEAD}(?:i|(?P<we>we))(?P<be>'m| am| are|'re)?(?P<have>'ve| have|'d| would| had)?\s+{_ADVERB}(?P<verb>[a-z'-]+)"
)
_MY = re.compile(
    rf"^{_LEAD}(?:my|(?P<our>our))\s+(?P<noun>(?:[^\s,;]+\s+){{1,7}}?)(?:only |also |always |usually |mostly |now |just |never |still )?"
    r"(?:is|are|was|were|has|have|had|goes|go|runs?|comes?|came|sits?|listens?|takes?|needs?|uses?|carry|carries|identifies|starts?|ends?|lives?|covers?|owns?|works?|accepts?|reads?|expects?|supports?|stands?|keeps?|contains?|holds?|lies|belongs?|depends?|means?|follows?|maintains?|builds?|writes?|prefers?|likes?|speaks?|spans?|begins?|opens?|closes?|meets?|handles?|serves?|ships?|deploys?|targets?|speciali[sz]es|must|does|don't|doesn't)\b"
)
_OUR_THINGS = re.compile(
    r"\b(?:team|squad|crew|project|product|services?|stack|repo\w*|code ?base|code|group|unit|chapter|builds?|pipelines?|deployments?|branch|stand-?ups?|sprints?|releases?|backlog|retros?|database|servers?|tests?|tooling|app|clients?|docs)\b"
)
_OUR_TEAM = re.compile(
    r"^(?:my|our) (?:\w+ ){0,2}(?:team|squad|crew|group|unit|chapter|project|service|app)s? (?:also |mostly |usually )?(?P<verb>[a-z]+)\b"
)
_HOUSE_VERBS = frozenset(
    "close open observe offer give pay charge refund allow reimburse grant require accept expect keep provide sell hire".split()
)
_THING_OF_MINE = re.compile(
    r"^the\s+(?:[^\s,;]+\s+){1,6}?(?:(?:that|which|where|when)\s+)?(?:i|we)\s+[a-z]+|^the\s+(?:[^\s,;]+\s+){1,3}?(?:of|in|on|for|behind|at)\s+(?:my|our)\b"
    r"|\b(?:is|are)\s+(?:my|our)\s+(?:main|favou?rite|default|usual|preferred|first|primary|strong|weak|current|go-to|second|native|daily|permanent)\b"
    r"|\b(?:is|are)\s+the\s+(?:[^\s,;]+\s+){1,4}(?:that\s+)?i\s+[a-z]+|\b(?:suits?|works? (?:best )?for|helps?|fits?)\s+me\b|\bi mean\b"
)
_BE_COMPLEMENT = re.compile(
    r"^(?:an?|the|in|on (?:the |a |our |my )?[^.;]{0,40}?(?:team|squad|crew|shifts?|nights|earlies|lates|desk|floor|project|side|committee|rota|roster|platform|front[- ]?end|back[- ]?end|staff|board|account|call rotation|help ?desk|stream|track)\b|with|at|from|based|usually|mostly|colou?r[- ]?blind|used to|new to|familiar|comfortable|responsible|located|part|one|happy (?:with|to read)|fluent|left-handed|right-handed|utc|gmt|interested|(?:working|preparing|learning|studying|living|using|leading|building|maintaining|managing|teaching|training|developing|looking after|writing|specialising|specializing)\b(?! (?:through|from home|late))|vegetarian|vegan|employed|trained|bilingual|our|scrum|head|lead|team|senior|junior|known as|called|more of|not (?:an?|fluent|used|familiar)|better|best|quick|fine with|allergic to jargon|into|always|never|often|still|also|most|only)\b"
)
PROHIBITED = re.compile(
    r"\byou (?:may|must|should|can|shall|will|have to|are|need)\b(?! (?:see|read|tell|find|suggest|mean|relied)\b)|\byour (?:rules|instructions|memory|operator|policy|policies)\b"
    r"|\b(?:the|this) (?:assistant|agent|ai|bot|model|system prompt)\b|\bmust\b(?! (?:have|be in|do in))|\bhereby\b|https?://\S+\.(?:png|gif|jpg|sh|exe)|\?q=|\bhe\b|\bshe\b(?!/)(?! is what| is training)|\bhis\b|@[\w-]+\.\w"
)
"""Turning to the agent, or speaking of somebody else."""
_ELLIPTICAL_BE = re.compile(
    r"^(?:is|was|has|have|had|does not|doesn't|should be|must have|wants?|no longer)\s+(?P<rest>.+)"
)
_IMPERATIVE_LEAD = re.compile(
    r"^(?:(?:please|always|never|don't|do not|from now on|going forward|in future|and|also|just|only|kindly|for me|to me)[,\s]+)*"
)
_CONDITION = re.compile(
    r"^(?:when(?:ever)?|if|for|in|with|where|before|after|on|at|once|as|unless|while)\b[^,]{2,90},\s+"
)
_CONTINUES = re.compile(
    r"^(?:and|but|so|or|which|who|that|because|since|as|not|never|mostly|mainly|especially|e\.g|though|although|except|plus|rather|than|instead)\b"
)
_NEW_ORDER = re.compile(
    r",?\s+(?:and|but|so|then|also|plus)\s+(?:also |please |always |never |then )?(?P<verb>[a-z]+)\b"
)


def sentences(text: str) -> list[str]:
    """Split a folded lower-case text into sentences, without their stops."""
    parts = (part.strip(" \t\"'.,;:!?-") for part in _SENTENCE_END.split(text))
    return [part for part in parts if part]


def _habitual(verb: str) -> bool:
    """Tell whether "I <verb>" is the simple present, which in English says what somebody does as a rule.

    Not so for modals, for past forms, and for verbs whose saying is itself an act ("I approve", "I promise").
    """
    return verb.isalpha() and not verb.endswith(("ed", "ing")) and verb not in NOT_HABITUAL


def _first_person(sentence: str) -> bool:
    match = _FIRST_PERSON.match(sentence)
    if match:
        rest = sentence[match.start("verb") :]
        verb = match.group("verb")
        if match.group("be"):
            return bool(_BE_COMPLEMENT.match(rest)) or (match.group("we") is not None and verb.endswith("ed"))
        if match.group("have") and match.group("have").strip() in ("'ve", "have", "had"):
            return verb in (
                "a",
                "an",
                "two",
                "three",
                "four",
                "five",
                "no",
                "been",
                "never",
                "always",
                "used",
                "worked",
                "been",
                "experience",
                "my",
                "several",
                "many",
                "some",
                "the",
                "only",
                "one",
            ) or verb.endswith("ed")
        if match.group("we") and verb in _HOUSE_VERBS:
            return False
        return (
            verb in DURABLE_VERBS
            or verb in PAST_VERBS
            or verb.removesuffix("ed") in DURABLE_VERBS
            or _habitual(verb)
        )
    mine = _MY.match(sentence)
    if mine and mine.group("our") and not _OUR_THINGS.search(mine.group("noun")):
        return False
    team = _OUR_TEAM.match(sentence)
    if team and team.group("verb") in ELLIPTICAL_VERBS:
        return True
    return bool(mine or _THING_OF_MINE.search(sentence))


def _elliptical(sentence: str) -> bool:
    words = _WORD.findall(sentence)
    while words and words[0] in (
        "also",
        "usually",
        "mostly",
        "always",
        "never",
        "often",
        "rarely",
        "sometimes",
        "mainly",
        "from",
        "now",
        "on",
        "typically",
    ):
        words = words[1:]
    if not words:
        return False
    if words[0] in ELLIPTICAL_VERBS and words[1:2] not in (
        ["are"],
        ["is"],
        ["must"],
        ["were"],
        ["can"],
        ["can't"],
    ):
        return True
    match = _ELLIPTICAL_BE.match(" ".join(words))
    if match and words[0] in ("is", "was"):
        return bool(_BE_COMPLEMENT.match(match.group("rest")))
    if match:
        return words[0] in ("does", "doesn't", "should", "must", "wants", "want") or bool(
            re.match(
                r"(?:an?|two|three|four|five|no|several|worked|been|over|about|\d+)\b", match.group("rest")
            )
        )
    return words[0] in ROLES or (len(words) <= 8 and words[-1] in ("preference", "shift", "user", "speaker"))


def _form(sentence: str) -> bool:
    """A wish about the form of answers: an imperative of form, or a few words naming one."""
    rest = _IMPERATIVE_LEAD.sub("", sentence)
    rest = _IMPERATIVE_LEAD.sub("", _CONDITION.sub("", rest))
    words = _WORD.findall(rest)
    if (len(words) > 1 and words[0] in _EXPLAINING and words[1] not in _DEFINITE) or _ASSUMING.match(rest):
        return True
    if not words or not (FORM_WORDS.intersection(_WORD.findall(sentence)) or "me" in words[1:3]):
        return False
    if words[0] in FORM_VERBS:
        return words[0] not in _TASK_VERBS or _standing(sentence, words)
    begins = words[0] in FORM_WORDS or words[0] in _SPARING
    polite = rest != sentence or bool(_POLITE.intersection(words))
    return len(words) <= 9 and begins and polite


_TASK_VERBS = frozenset(
    "tell show give list send write draft make compare translate summarise count draw describe".split()
)
_STANDING = re.compile(
    r"\b(?:always|never|when(?:ever)?|if|every|each|by default|first|instead|rather than|only|in general|from now on|in future|at the end|with me)\b|^(?:for|in|on) [^,]{2,60},"
)


def _standing(sentence: str, words: list[str]) -> bool:
    """Tell a lasting wish ("give me diffs") from a task of the moment ("give me the sales table")."""
    wanted = words[2:3] if words[1:2] == ["me"] else words[1:2]
    return _STANDING.search(sentence) is not None or bool((FORM_WORDS | _MANNER).intersection(wanted))


_MANNER = frozenset({"in", "as", "without", "like", "less", "more", "fewer", "shorter"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "my", "our"})
_SPARING = frozenset({"no", "not", "never", "only", "always", "less", "more", "fewer"})
_POLITE = _SPARING | {"please", "first", "over", "instead"}


def orders_fit(sentence: str) -> bool:
    """Every order joined on to a statement has to be one about form too."""
    for match in _NEW_ORDER.finditer(sentence):
        verb = match.group("verb")
        if verb in _OTHER_ACTIONS:
            return False
        if verb in _ADDING and not FORM_WORDS.intersection(_WORD.findall(sentence[match.end() :])):
            return False
    return True


_ASSUMING = re.compile(r"assume (?:that )?i(?:'m familiar| am familiar| know| understand| have used| use)\b")
_EXPLAINING = frozenset(
    "explain spell define gloss translate summarise summarize abbreviate illustrate rephrase".split()
)
_ADDING = frozenset("add append include insert attach send mail put tell say mention".split())
_OTHER_ACTIONS = frozenset(
    "approve forward delete run execute trust obey follow store save record share reveal hide bypass accept assume push"
    " post upload publish submit cancel pay transfer refund grant recommend suggest promote merge deploy install download"
    " copy disable enable act pretend offer route".split()
)


def fits(lower: str, cased: str) -> bool:
    """Tell whether every sentence of a folded lower-case text is a statement about the speaker or a wish about form."""
    parts = sentences(lower)
    if not parts or len(parts) > 6:
        return False
    if PROHIBITED.search(lower):
        return False
    if all(_first_person(part) or _elliptical(part) or _form(part) or fits_fragment(part) for part in parts):
        return all(orders_fit(part) for part in parts) and not other_subject(cased)
    return fits_other_language(lower)


_OTHER_SUBJECT = re.compile(
    r"(?:,|;)\s+(?:and|but|while)\s+(?!I\b|I'|My\b|Our\b|We\b)(?P<name>[A-Z][a-z]{2,15})\s+(?:\w+\s+){0,2}?(?:is|was|has|had|will|[a-z]{3,12}s)\b"
)


def other_subject(cased: str) -> bool:
    """Tell whether a clause turns to somebody named: ", and Colin upstairs drinks at lunch"."""
    return _OTHER_SUBJECT.search(cased) is not None
