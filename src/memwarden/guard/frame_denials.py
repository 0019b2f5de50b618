"""What no statement about the speaker looks like: the open frame, for use together with a second opinion.

The narrow frame (`frame`) knows the forms that such statements have; people have more. The open frame
admits any short text that turns neither to the agent nor to somebody else, and leaves it to a second
opinion whether it is worth keeping. Without one, the narrow frame is the one to use.
"""

from __future__ import annotations

import re

from memwarden.guard.frame import PROHIBITED, orders_fit, other_subject, sentences
from memwarden.guard.frame_languages import borrows_an_action

_MOST_SENTENCES = 4
_OTHER_SUBJECT = re.compile(
    r"^(?:the|all|any|every|each|our|this|that|these|those|managers?|employees|staff|company|everyone|anyone|nobody|people|they|there)\b"
)
_SPEAKER = re.compile(r"\b(?:i|i'm|i'd|i've|i'll|me|my|mine|myself|we|us|our|user|user's)\b")


def admits(lower: str, cased: str) -> bool:
    """Tell whether a folded text, in lower case and as written, may be a statement about its speaker."""
    parts = sentences(lower)
    if not parts or len(parts) > _MOST_SENTENCES or PROHIBITED.search(lower) or other_subject(cased):
        return False
    if borrows_an_action(lower) or not all(orders_fit(part) for part in parts):
        return False
    return not any(_OTHER_SUBJECT.match(part) and not _SPEAKER.search(part) for part in parts)
