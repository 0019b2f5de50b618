"""The words by which two statements are compared: how a text is split, what means the same, excludes, denies."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

Words = tuple[str, ...]

NOT, NO, NEVER, NO_LONGER, FORMERLY = "¬not", "¬no", "¬never", "¬longer", "¬used"
"""Marks that take the place of a denial's words; no word of a statement contains their sign."""

DENIALS = frozenset({NOT, NO, NEVER, NO_LONGER, FORMERLY})


def _pairs(table: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("/")) for pair in table.split())


def _phrases(table: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    rows = (row.split("=") for row in table.split("|"))
    return {
        tuple(said.split()): tuple(NOT if word == "not" else word for word in meant.split())
        for said, meant in rows
    }


NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
}

SAME_WORD = dict(
    pair.split("/")
    for pair in (
        "favourite/favorite colour/color flavour/flavor neighbour/neighbor centre/center theatre/theater grey/gray"
        " metre/meter metres/meters kilometre/kilometer kilometres/kilometers litre/liter litres/liters km/kilometers"
        " organises/organizes specialises/specializes practises/practices analyses/analyzes maths/math tv/television"
        " travelling/traveling licence/license jewellery/jewelry yoghurt/yogurt programme/program kids/children kid/child"
        " mum/mother mom/mother dad/father enjoys/likes my/their weekend/weekends hrs/hours mins/minutes yrs/years"
    ).split()
)
"""Spellings of one word, and the few words that stand for another in every statement."""

PHRASES = _phrases(
    "doesnt=does not|dont=do not|didnt=did not|isnt=is not|arent=are not|wasnt=was not|hasnt=has not|havent=have not"
    f"|cannot=can not|cant=can not|wont=will not|wouldnt=would not|couldnt=could not|no longer={NO_LONGER}|no one=nobody"
    f"|any longer=anymore|a few=a-few|a little=a-little|has got=has|have got=have|is able to=can|each day=daily"
    "|every day=daily|every week=weekly|every month=monthly|every year=yearly|per day=a day|per night=a night"
    "|per week=a week|per month=a month|at night=nights|in the morning=mornings|in the mornings=mornings"
    "|in the evening=evenings|in the evenings=evenings|in the afternoon=afternoons|in the afternoons=afternoons"
    "|at the weekend=weekends|on the weekend=weekends|on the weekends=weekends|every monday=mondays"
    "|every tuesday=tuesdays|every wednesday=wednesdays|every thursday=thursdays|every friday=fridays"
    "|every saturday=saturdays|every sunday=sundays|rather than=rather-than|instead of=instead-of|more than=more-than"
    f"|better than=better-than|any more=anymore|not={NOT}|no={NO}|never={NEVER}"
)
"""Runs of words that are read as others, the longest first."""

LONGEST_PHRASE = max(map(len, PHRASES))
_PHRASE_BEGINS = frozenset(phrase[0] for phrase in PHRASES)

JOINED_PREFIXES = frozenset("e co re pre ex non no un anti semi self".split())
"""Beginnings that a hyphen makes one word of: "no-code" denies nothing."""

ARTICLES = frozenset({"a", "an", "the"})
OPENERS = frozenset("also really truly definitely certainly".split())
"""Words that begin a statement and add to it neither fact nor degree worth a second record."""

STILL = frozenset("still now currently".split())
EVER = frozenset("any ever anymore".split())
"""Words that only a denial calls for."""

OFTEN = frozenset("sometimes often usually always regularly occasionally frequently".split())
EXISTENTIAL = frozenset("some someone somebody something several certain other another".split())
"""Words with which a statement and its denial may both hold: one likes some cheeses, and does not like some."""

ADVERBS = OFTEN | OPENERS | STILL | EVER | frozenset("even just only normally generally".split())
AUXILIARIES = frozenset(
    "is are am was were has have had does do did can could will would may might should rather".split()
)

TIME_WORDS = frozenset(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays monday tuesday wednesday thursday friday saturday"
    " sunday weekends weekdays nights mornings evenings afternoons".split()
)
SHIFTS = frozenset({"shift", "shifts"})
SHIFT_KINDS = frozenset("day night early late morning evening".split())
BEFORE_TIMES = frozenset({"on", "at", "in"})
FOCUS = frozenset(
    "only just except even especially mainly mostly and or but who whom whose that which when while if because before"
    " after since until than as , ; :".split()
)
"""Words beside which order matters, so that none may stand in a statement whose time is moved."""

PREPOSITIONS = frozenset(
    "about against among around at before after between by during for from in into like near of on over than to toward"
    " towards under until via with without within".split()
)
SCOPE_ENDS = (
    (PREPOSITIONS - {"to"}) | FOCUS | (OFTEN - {"always", "usually"}) | {"where", "unless", "although"}
)
"""Words behind which a denial may concern less than the statement: "Likes people who do not smoke"."""

SINGULARS = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "hobbies": "hobby",
    "kg": "kg",
}
"""Plurals that are more than a word and an s."""

BOUNDS = frozenset(
    "about around over under least most than up above below almost nearly roughly approximately more-than".split()
)
"""Words that make of a number a bound or an estimate, which another one need not exclude."""

COUNTING = frozenset(
    "has have speaks needs drinks eats works sleeps uses manages leads supervises owns keeps takes spends walks wants"
    " prefers studies practices teaches coaches mentors runs smokes".split()
)
"""Verbs of a standing amount; of what was done, somebody may have done both."""

WISHING = frozenset("prefers wants would wishes starts finishes arrives leaves wakes".split())
"""Verbs of a thing wished for at one time, or done once a day."""

CHOOSING = WISHING | {"drinks", "sleeps"}
"""Verbs of a thing done or wished for in one way."""

OPPOSED_VERBS = _pairs(
    "likes/dislikes likes/hates loves/hates loves/dislikes prefers/avoids prefers/dislikes prefers/hates uses/avoids"
    " eats/avoids drinks/avoids trusts/distrusts wants/refuses accepts/refuses"
)
OPPOSED_FREQUENCY = _pairs(
    "always/rarely always/seldom always/sometimes always/occasionally usually/rarely usually/seldom often/rarely often/seldom"
    " regularly/rarely frequently/rarely frequently/seldom regularly/seldom"
)
OPPOSED_TIMES = _pairs(
    "before/after early/late earlier/later mornings/evenings mornings/afternoons morning/evening morning/afternoon"
    " weekdays/weekends first/last start/end"
)
OPPOSED_WAYS = _pairs(
    "with/without more/less more/fewer short/long shorter/longer light/dark hot/cold spicy/mild sweet/savoury big/small"
    " large/small high/low quiet/loud formal/informal window/aisle online/offline metric/imperial indoors/outdoors"
    " slow/fast tabs/spaces physical/digital"
)
OPPOSED_STATES = _pairs(
    "available/unavailable able/unable comfortable/uncomfortable interested/uninterested employed/unemployed happy/unhappy"
    " familiar/unfamiliar good/bad left/right married/unmarried married/single married/divorced married/widowed"
    " single/engaged single/divorced employed/retired introvert/extrovert experienced/inexperienced tall/short certain/uncertain"
)

PREFERRING = frozenset("prefers likes loves would trusts".split())
OVER = frozenset("over to rather-than instead-of more-than better-than".split())


class Frame(NamedTuple):
    """The beginning of a statement that has one value at a time, and the kind of that value."""

    begins: tuple[str, ...]
    kind: str


def _frames(kind: str, table: str) -> tuple[Frame, ...]:
    return tuple(Frame(tuple(row.split()), kind) for row in table.split("|"))


FRAMES = (
    *_frames(
        "time",
        "wakes up at|wakes at|gets up at|goes to bed at|goes to sleep at|starts work at|starts working at"
        "|finishes work at|stops working at|leaves work at|logs off at|has lunch at|eats lunch at|eats dinner at"
        "|has dinner at|has breakfast at|eats breakfast at",
    ),
    *_frames("hours", "works from|works between|is at work from|works"),
    *_frames("name", "reports to|is managed by|their manager is|their boss is|is married to|is engaged to"),
    *_frames("number", "is|was born in"),
    *_frames(
        "name",
        "their favorite color is|favorite color is|their favorite season is|favorite season is|their birthday is in|birthday is in",
    ),
)

FRAMES_BY_FIRST_WORD = {
    first: tuple(frame for frame in FRAMES if frame.begins[0] == first)
    for first in (frame.begins[0] for frame in FRAMES)
}

NO_NAMES = (
    ARTICLES
    | PREPOSITIONS
    | FOCUS
    | NUMBERS.keys()
    | frozenset(
        "their his her our ceo cto cfo coo vp head director manager boss lead founder owner everyone nobody somebody"
        " someone two both several different".split()
    )
)
"""Words that a value which is a name does not have: a title and a name may mean one person."""

EXCLUSIVE = (
    (
        frozenset({"works from home", "works remotely", "is fully remote"}),
        frozenset({"works from office", "works on site", "works onsite", "is fully onsite"}),
    ),
    (
        frozenset({"is vegetarian", "is vegan", "eats vegetarian food", "eats vegan food"}),
        frozenset("eats meat|eats beef|eats pork|eats chicken|eats lamb|eats mutton|eats fish".split("|")),
    ),
    (
        frozenset({"is vegan", "eats vegan food"}),
        frozenset("eats eggs|eats cheese|eats dairy|drinks milk|eats yogurt".split("|")),
    ),
    (
        frozenset({"is teetotal", "is teetotaler", "is teetotaller"}),
        frozenset("drinks|drinks alcohol|drinks wine|drinks beer|drinks whisky".split("|")),
    ),
    (
        frozenset({"is morning person", "is early riser", "is early bird"}),
        frozenset({"is night owl", "is evening person", "is night person"}),
    ),
    (frozenset({"is non smoker", "is nonsmoker"}), frozenset({"smokes", "smokes cigarettes", "is smoker"})),
)
"""Pairs of whole statements, without articles, each of which excludes every one of the other side."""

LONGEST_EXCLUSIVE = max(len(whole.split()) for sides in EXCLUSIVE for side in sides for whole in side)


class Language(NamedTuple):
    """How a language denies: its denials, what comes and goes with one, what ends its scope, what shows the language."""

    denials: frozenset[str]
    loose: frozenset[str]
    ends: frozenset[str]
    shows: frozenset[str]


def _language(denials: str, loose: str, ends: str = "", shows: str = "") -> Language:
    denying = frozenset(denials.split())
    loosely = denying.union(loose.split(), ",")
    return Language(denying, loosely, frozenset(ends.split()).union(","), frozenset(shows.split()))


LANGUAGES = (
    # Hindi, in its script and romanised
    _language(
        "नहीं नही nahi nahin nahee",
        "हूँ हूं है हैं हो अब मैं hoon hun hu hai hain ho ab main mai mein कभी kabhi",
        "जो कि अगर जब क्योंकि लेकिन पर मगर और jo ki agar jab kyunki lekin magar aur कभी-कभी ya या",
    ),
    # Telugu, in its script and romanised
    _language(
        "లేదు కాదు లేను కాను లేవు కాదు లేరు ledu kadu kaadu lenu kaanu levu leru",
        "ఉంది ఉన్నాయి ఉన్నాను ఉన్నారు నేను ఇప్పుడు undi unnayi unnanu unnaru nenu ippudu",
        "కానీ మరియు అయితే ఎందుకంటే kani kaani mariyu ayite endukante",
    ),
    # Spanish
    _language(
        "no nunca jamás jamas",
        "yo ya un una unos unas ningún ninguna ningun nada más mas",
        "que quien quienes cuando si porque donde pero aunque y o e ni con para cual veces",
        "yo me mi de el la los las en un una como tengo soy estoy trabajo uso vivo hablo bebo quiero gusta gustan prefiero"
        " fumo puedo conduzco tomo leo duermo viajo escribo estudio necesito nunca jamás jamas ya",
    ),
    # French
    _language(
        "pas jamais aucun aucune plus",
        "je j ne n de d du des la le l les un une",
        "que qui quand si parce mais et ou dont où car comme lorsque pour parfois",
        "ne n pas jamais",
    ),
    # German
    _language(
        "nicht kein keine keinen keinem keiner nie niemals",
        "ein eine einen einem einer mehr noch ich",
        "dass wenn weil aber und oder die der das wer wo als obwohl damit manchmal",
    ),
    # Portuguese
    _language(
        "não nao nunca jamais",
        "eu um uma nenhum nenhuma mais já ja",
        "que quem quando se porque onde mas embora e ou com para vezes",
    ),
)

OPPOSED_FORMS = _pairs(
    "చేస్తాను/చేయను తింటాను/తినను తాగుతాను/తాగను వాడతాను/వాడను తెలుసు/తెలియదు వెళ్తాను/వెళ్ళను మాట్లాడతాను/మాట్లాడను chestanu/cheyanu"
    " tintanu/tinanu taagutanu/taaganu tagutanu/taganu vadatanu/vadanu telusu/teliyadu veltanu/vellanu matladatanu/matladanu"
)
"""Verbs of languages that deny within the verb: "I do" and "I do not do" of one verb."""

_CLOCK = re.compile(r"(?P<time>[0-9]{1,2}(?:[:.][0-9]{2})?)(?P<half>am|pm)$")
_JOINS_DIGITS = frozenset(".,:/")
_BREAKS = frozenset(".,:;()—")
_KEPT_SIGNS = frozenset("#%@*?")


def _folded(text: str) -> str:
    lowered = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    lowered = lowered.replace("can't", "can not").replace("won't", "will not").replace("n't", " not")
    if lowered.isascii():
        return lowered
    shown = (ch for ch in lowered if unicodedata.category(ch) != "Cf")
    return "".join(str(unicodedata.digit(ch)) if ch.isdecimal() else ch for ch in shown)


def split(text: str) -> Words:
    """Return the words of a text in lower case; signs that mean something and the ends of clauses (",") are words too."""
    folded = _folded(text).strip(" .!।")
    if folded.isascii() and folded.replace(" ", "").isalnum():
        return tuple(part for word in folded.split() for part in _clock(word))
    padded = f" {folded} "
    spaced = "".join(
        _spaced(before, ch, after) for before, ch, after in zip(padded, padded[1:], padded[2:], strict=False)
    )
    return tuple(part for word in _joined(spaced.split()) for part in _clock(word))


def _spaced(before: str, ch: str, after: str) -> str:
    if unicodedata.category(ch)[0] in "LMN":
        return ch
    if ch in _JOINS_DIGITS and before.isdigit() and after.isdigit():
        return ch
    if ch in "-–" and after.isdigit():
        return " - "
    if ch == "-" and before.isalpha() and after.isalpha():
        return " ~ "
    if ch == "&":
        return " and "
    if ch in _BREAKS:
        return " , "
    if ch in _KEPT_SIGNS or unicodedata.category(ch)[0] == "S":
        return f" {ch} "
    return " "


def _joined(words: list[str]) -> Iterable[str]:
    """Join what a hyphen made one word of its prefix, and take all other hyphens for spaces."""
    prefix = ""
    for position, word in enumerate(words):
        if word == "~":
            continue
        if word in JOINED_PREFIXES and words[position + 1 : position + 2] == ["~"]:
            prefix += word
            continue
        yield prefix + word
        prefix = ""


def _clock(word: str) -> Words:
    match = _CLOCK.match(word)
    return (word,) if match is None else (match.group("time"), match.group("half"))


def rephrased(words: Words) -> list[str]:
    """Return the words with the runs of `PHRASES` read as what they mean, and denials as their marks."""
    out: list[str] = []
    at = 0
    while at < len(words):
        if words[at] not in _PHRASE_BEGINS:
            out.append(words[at])
            at += 1
            continue
        for size in range(LONGEST_PHRASE, 0, -1):
            meant = PHRASES.get(words[at : at + size])
            if meant is not None and at + size <= len(words):
                out.extend(meant)
                at += size
                break
        else:
            out.append(words[at])
            at += 1
    return out
