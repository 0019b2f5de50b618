"""The sentences of a message, and what they are: a question, a request, or something a speaker says of themselves. Pure.

Only enough to sort lines of a summary without a model. Where a language is not known, a statement passes for one about
the speaker, since a line too many costs less than a fact that is lost.
"""

from __future__ import annotations

import re

from memwarden.guard.commands import command
from memwarden.session.content_words import content_words, words_of

_END = re.compile(
    r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\be\.g)(?<!\bi\.e)(?<!\b[a-z])(?<![.!?;])[.!?;]+[\"'”’)]*(?=\s)"
    r"|[。！？；｡।॥؟۔။።፧]+[”’」』)]*|\n+",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？؟\u037e፧]\s*[\"'”’)]*$"
    r"|^(?:what|when|where|which|who|whose|why|how|can|could|would|will|may|is|are|does|did|do (?:i|we|you)|should) (?:\w+ )?(?:i|you|we|it|there|the|my|this|that|he|she|they|is|are|do|does|many|much|long)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:(?:and|so|then|also|ok|okay|now|hi|hello|just)[,\s]+)*(?:please|kindly|book|show|tell|give|send|cancel|list|find|create|open|close|help|"
    r"explain|write|make|change|update|check|get|let|remind|remember|forget|schedule|add|remove|delete|set|use|call|ask|look|do|don't|never|always|"
    r"summari[sz]e|translate|fix|try|stop|start|note|ignore|go ahead|bitte|por favor|s'il (?:te|vous) pla[iî]t|per favore)\b",
    re.IGNORECASE,
)
_SPEAKER = frozenset(
    "i my mine we our ours myself ich mein meine meinen meiner wir unser unsere je j mon ma mes nous notre yo mi mis nosotros "
    "nuestro nuestra estoy soy tengo eu meu minha meus estou sou tenho io mio mia sono ho ik mijn wij onze jag min mitt vi "
    "saya aku kami main mera meri mere mujhe hum nenu naa naaku naan en ja mój moja benim ben tôi".split()
)
_ENGLISH = re.compile(
    r"\b(?:the|is|are|of|and|that|this|was|were|you|your|should|must|will|has|have|with|for|when|if|it|its|they|to|on|at|in|do|not)\b",
    re.IGNORECASE,
)
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_FIRST_WORDS = 8
"""Words within which a sentence about the speaker names them."""


def sentences(text: str) -> list[str]:
    """Split a text into sentences, each with its stop, at the marks of any script."""
    found: list[str] = []
    begin = 0
    for match in _END.finditer(text):
        found.append(text[begin : match.end()])
        begin = match.end()
    found.append(text[begin:])
    return [sentence for part in found if (sentence := part.strip())]


def is_question(sentence: str) -> bool:
    """Tell whether a sentence asks, by its mark or, in English, by its first words."""
    return bool(_ASKS.search(sentence.strip()))


def is_request(sentence: str) -> bool:
    """Tell whether a sentence wants something done, or is a command to memory."""
    return bool(_REQUEST.match(sentence.strip())) or command(sentence) is not None


def is_about_speaker(sentence: str) -> bool:
    """Tell whether a sentence states something of the speaker; in an unknown language, whether it states anything."""
    if is_question(sentence) or is_request(sentence) or len(content_words(sentence)) < 2:
        return False
    if not _LATIN.search(sentence):
        return True
    words = words_of(sentence)
    if _SPEAKER.intersection(words[:_FIRST_WORDS]):
        return True
    return len(words) > 2 and not _ENGLISH.search(sentence)
