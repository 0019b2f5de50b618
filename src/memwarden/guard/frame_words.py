"""The vocabulary of the frame: what people say durably about themselves, and how they want answers."""

from __future__ import annotations

DURABLE_VERBS = frozenset(
    "work live use prefer like love enjoy dislike hate want need speak read write code develop build maintain own lead"
    " manage run support test teach coach coordinate triage document edit translate answer track report join learn study"
    " commute travel drive start finish take mix override simulate specialise specialize dictate keep come go sit deploy"
    " review design plan handle cover train mentor play cook collect volunteer follow publish present attend organise"
    " organize schedule book order type browse listen watch fix debug analyse analyze research sell buy ship process"
    " administer operate configure monitor automate draft prepare file log host moderate audit model forecast draw paint"
    " sketch swim cycle walk bike hike garden farm fish photograph film record sing dance blog podcast stream interview"
    " recruit onboard assist serve deliver supply repair install assemble weld measure calibrate inspect certify grade"
    " mark supervise oversee head represent liaise negotiate facilitate chair host dial call mail message ask expect"
    " trust recommend remember send skip ignore carry pay share split reuse rebase merge commit push pin print scan"
    " benchmark profile refactor migrate port compile package release version tag search index label annotate sample"
    " visit stay belong focus concentrate contribute participate practise practice major graduate hold wear eat drink"
    " brew bake find understand think know mean abbreviate count sort rank filter chart plot map sync back share"
    " remind dream wake sleep rest break pause switch alternate rotate split spend save close open reply respond consult"
    " advise invest report originate hail grow live-code pair stand rely depend confuse forget lose misread"
    " appreciate favour favor rather tend try aim hope wish care bother mind notice check verify double-check sign"
    " ride jog knit sew act lecture tutor chair host bring put set get see view look access reach connect prefix"
    " transcribe interpret subtitle proofread typeset illustrate animate render compose mix master arrange join".split()
)
"""Verbs that, after "I" or in the elliptical third person, state something that lasts."""

_IRREGULAR = {
    "has": "have", "is": "be", "does": "do", "goes": "go", "worked": "work", "joined": "join", "came": "come",
    "started": "start", "moved": "move", "studied": "study", "grew": "grow", "built": "build", "led": "lead",
    "wrote": "write", "spent": "spend", "began": "begin", "chose": "choose", "learned": "learn", "trained": "train",
    "graduated": "graduate", "switched": "switch", "left": "leave", "set": "set", "ran": "run", "taught": "teach",
}  # fmt: skip
PAST_VERBS = frozenset(word for word in _IRREGULAR if word not in ("has", "is", "does", "goes"))
"""Past forms that state a lasting fact about somebody's history."""


NOT_HABITUAL = frozenset(
    "am was were be been may might must shall should will would can could ought dare not never"
    " did said told went saw met got gave took bought sold lost found made knew thought felt heard brought caught sent"
    " paid put kept held ate drank drove flew forgot had broke woke fell became won threw spoke stood understood"
    " approve authorize authorise permit allow grant promise guarantee declare confirm swear insist demand order"
    " instruct command forbid waive certify consent agree accept acknowledge attest affirm appoint delegate exempt"
    " override bypass qualify deserve owe earn suspect guess suppose doubt believe fear seem hereby let give feel"
    " suffer vote worship pray fast divorce smoke".split()
)
"""Verbs that do not say what somebody does as a rule: modals, past forms, acts done by saying so, and states of mind or body."""


def third_person(verb: str) -> str:
    """Return the third person singular of a regular English verb."""
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


ELLIPTICAL_VERBS = frozenset(third_person(verb) for verb in DURABLE_VERBS) | PAST_VERBS
"""The same verbs as extracted notes begin with: "Prefers ...", "Works ..."."""

ROLES = frozenset(
    "lead leader champion manager developer engineer analyst admin administrator member owner beginner expert fluent"
    " native specialist head designer tester architect consultant writer editor coordinator scrum product project"
    " maintainer contributor author accountant teacher nurse assistant intern officer trainer coach user fan lover"
    " learner student graduate resident parent-volunteer secretary organiser organizer volunteer newcomer veteran"
    " backend frontend full-stack senior junior part-time full-time team tech security vegetarian vegan remote hybrid"
    " night-shift early-bird left-handed right-handed bilingual multilingual based interested experienced responsible"
    " familiar comfortable located new proficient approver".split()
)
"""Nouns and adjectives that an elliptical statement about somebody begins with."""

FORM_VERBS = frozenset(
    "answer reply respond write use avoid skip keep show give list put start begin spell explain call call address"
    " format speak talk summarise summarize shorten quote cite gloss name sign ignore assume stick stay limit number"
    " bold highlight add include mention leave drop cut round convert indent wrap end finish make send tell ask"
    " provide prefer translate treat break define capitalise capitalize hyphenate draft phrase word link attach draw"
    " illustrate compare recap state lead be offer separate group order sort label mark remind soften sugarcoat repeat"
    " go get do walk split present describe describe plan count say print plain expand abbreviate comment indent".split()
)
"""What somebody may ask for about the form of answers."""

FORM_WORDS = frozenset(
    "answer answers reply replies response responses sentence sentences word words paragraph paragraphs bullet bullets"
    " list lists table tables emoji emojis example examples code snippet snippets step steps diff diffs acronym acronyms"
    " abbreviation abbreviations greeting greetings date dates time times unit units jargon heading headings line lines"
    " tone language languages english hindi telugu tamil spanish french german portuguese short brief long concise"
    " detailed detail details formal informal casual typo typos spelling grammar comma commas exclamation capitals caps"
    " bold italics markdown plain prose summary summaries explanation explanations analogy analogies metaphor footnote"
    " footnotes source sources citation citations section number numbers amount amounts rupee lakh crore currency metric"
    " imperial feet pounds celsius fahrenheit 24-hour 12-hour iso format formatting font colour color chart charts"
    " diagram diagrams screenshot screenshots command commands shell comment comments message messages mail mails email"
    " emails draft drafts question questions fix fixes option options pros cons conclusion background intro apology"
    " apologies small-talk pleasantries level newspaper tl;dr recap link links quote quotes term terms title titles"
    " name pronouns first-name he she they dr mr ms mx criticism review reviews feedback praise humour humor jokes"
    " puns idioms slang talk chatter fluff preamble intros dialect variety variant british american simplified traditional accent accents shortcut"
    " shortcuts keyboard screenreader captions subtitles contrast sizes whole files change changes one-liner tldr"
    " header headers subject indentation tabs spaces semicolons python java typescript javascript kotlin rust go sql"
    " bash powershell c# ruby swift scala r windows linux mac fedora debian ubuntu style ui output outputs log-in"
    " decimals thousands percentages timezone timezones zone zones week weeks monday sunday holidays calendar".split()
)
"""What form is about."""
