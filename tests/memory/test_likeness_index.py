"""Looking statements up by keys: what `likeness` would say of a pair is never missed, and what was dropped never found."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memwarden.memory import likeness as rules
from memwarden.memory.likeness import Likeness, compared
from memwarden.memory.likeness_index import ALIKE, LikenessIndex, keys_of
from memwarden.memory.likeness_reading import Reading, read
from memwarden.memory.likeness_words import EXCLUSIVE, FRAMES, LANGUAGES, PHRASES
from tests.memory.test_likeness import PAIRS, STATEMENTS

WORDS = sorted(
    {
        *"has two three 2 3 cats cat people tea and or coffee in the office at 9 to 5 am pm noon Anita Ravi".split(),
        *"likes dislikes hates always rarely often sometimes never not no any no longer used anymore some".split(),
        *"prefers would rather more less over before after on Mondays Fridays mornings is left right 34 years old".split(),
        *"works from home does do don't can cannot about for of 1985 C++ , kein ich pas je nahi hai ledu tengo".split(),
        *(word for phrase in PHRASES for word in phrase),
        *(
            word
            for language in LANGUAGES
            for word in (*sorted(language.denials), *sorted(language.loose)[:3])
        ),
    }
)
WHOLES = sorted(
    {
        *STATEMENTS,
        *(whole for sides in EXCLUSIVE for side in sides for whole in side),
        *(
            f"{' '.join(frame.begins)} {value}"
            for frame in FRAMES
            for value in "6|7:30 pm|9 to 5|10 until 6 daily|Anita|Ravi Rao|34 years old|35 years old".split(
                "|"
            )
        ),
    }
)
APART = -1.0
"""The similarity at which words alone decide whether two statements exclude each other."""

word = st.sampled_from(WORDS)
sentence = st.sampled_from(WHOLES) | st.lists(word, min_size=1, max_size=7).map(" ".join)


@st.composite
def altered(draw: st.DrawFn, text: str) -> str:
    """Change a statement a little, as two that say the same or exclude each other differ a little."""
    words = text.split()
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, max(0, len(words) - 1)))
        change = draw(st.sampled_from(("add", "replace", "leave out", "turn", "swap")))
        if change == "add":
            words.insert(place, draw(word))
        elif change == "replace":
            words[place : place + 1] = [draw(word)]
        elif change == "leave out":
            words[place : place + 1] = []
        elif change == "turn":
            words[place:] = words[place + 1 :] + words[place : place + 1]
        else:
            other = draw(st.integers(0, max(0, len(words) - 1)))
            words[place : place + 1], words[other : other + 1] = (
                words[other : other + 1],
                words[place : place + 1],
            )
    return " ".join(words)


def assert_not_missed(a: Reading, b: Reading) -> bool:
    """Fail when a pair that is something to each other shares no key; return whether it is something."""
    one, other = keys_of(a), keys_of(b)
    same = compared(a, b, ALIKE) is Likeness.SAME
    if same:
        assert one.words == other.words, (a, b)
    rivals = compared(a, b, APART) is Likeness.CONTRADICTS
    if rivals:
        assert one.excludes & other.says or one.says & other.excludes, (a, b)
    return same or rivals


@pytest.mark.parametrize(("one", "other", "expected"), PAIRS)
def test_no_labelled_pair_is_missed(one: str, other: str, expected: Likeness) -> None:
    assert assert_not_missed(read(one), read(other)) or expected is Likeness.OTHER


@pytest.mark.parametrize("rule", rules._EXCLUSIONS, ids=lambda rule: rule.__name__)
def test_every_rule_has_labelled_pairs_of_its_own(rule: object) -> None:
    assert callable(rule)
    readings = [
        (read(one), read(other)) for one, other, expected in PAIRS if expected is Likeness.CONTRADICTS
    ]
    decided = [(a, b) for a, b in readings if [r for r in rules._EXCLUSIONS if r(a, b) or r(b, a)] == [rule]]
    assert decided


@given(st.data(), sentence, st.none() | st.floats(-1, 1))
def test_a_pair_that_is_something_is_so_where_words_alone_decide(
    data: st.DataObject, text: str, similarity: float | None
) -> None:
    a, b = read(text), read(data.draw(altered(text)))
    if (how := compared(a, b, similarity)) is not Likeness.OTHER:
        assert compared(a, b, ALIKE if how is Likeness.SAME else APART) is how


@given(st.data(), sentence)
def test_no_generated_pair_is_missed(data: st.DataObject, text: str) -> None:
    assert_not_missed(read(text), read(data.draw(altered(text) | sentence)))


@given(st.text(), st.text())
@example("¬", "¬not")
@example("never sometimes", "sometimes")
@example("Works between 9 and 5", "Works between 5 and 9")
def test_no_text_at_all_is_missed(one: str, other: str) -> None:
    assert_not_missed(read(one), read(other))


@pytest.mark.slow
def test_none_of_all_pairs_of_known_statements_is_missed() -> None:
    index = LikenessIndex()
    for text in WHOLES:
        index.add(text, text, "one kind")
    readings = {text: read(text) for text in WHOLES}
    for place, text in enumerate(WHOLES):
        before = [(other, readings[other]) for other in reversed(WHOLES[:place])]
        found = {*index.doubles(text), *index.rivals(text)}
        how = [(other, compared(readings[text], reading, ALIKE)) for other, reading in before]
        assert sorted(found) == sorted(other for other, is_ in how if is_ is not Likeness.OTHER)


@pytest.mark.slow
def test_none_of_many_altered_statements_is_missed() -> None:
    chance = random.Random(11)
    something = 0
    for _ in range(20_000):
        words = chance.choice(WHOLES).split()
        changed = list(words)
        place = chance.randrange(len(words))
        changed[place : place + chance.randrange(2)] = [chance.choice(WORDS)] * chance.randrange(2)
        something += assert_not_missed(read(" ".join(words)), read(" ".join(changed)))
    assert something > 1_000


@given(st.lists(sentence, max_size=12), st.data())
def test_what_the_index_finds_is_what_comparing_all_finds(texts: list[str], data: st.DataObject) -> None:
    texts += [data.draw(altered(text)) for text in texts[:6]]
    readings, index = [read(text) for text in texts], LikenessIndex()
    for place, text in enumerate(texts):
        index.add(str(place), text, "one kind")
    for place, reading in enumerate(readings):
        before = range(place - 1, -1, -1)
        doubles = [str(i) for i in before if compared(reading, readings[i], 1.0) is Likeness.SAME]
        rivals = [str(i) for i in before if compared(reading, readings[i], -1.0) is Likeness.CONTRADICTS]
        assert list(index.doubles(str(place))) == doubles
        assert list(index.rivals(str(place))) == rivals


def test_doubles_are_of_one_kind() -> None:
    index = LikenessIndex()
    index.add("a", "Has two cats", "fact")
    index.add("b", "Has 2 cats", "preference")
    index.add("c", "Really has 2 cats", "fact")
    assert list(index.doubles("c")) == ["a"]
    assert list(index.doubles("b")) == []


def test_what_was_dropped_is_found_no_more_by_a_search_under_way_either() -> None:
    index = LikenessIndex()
    for name in ("Anita", "Ravi", "Olga"):
        index.add(name, f"Reports to {name}", "fact")
    index.add("new", "Reports to Ahmed", "fact")
    search = index.rivals("new")
    assert next(search) == "Olga"
    index.drop("Ravi")
    assert list(search) == ["Anita"]
    search = index.rivals("new")
    assert next(search) == "Olga"
    index.drop("new")
    assert list(search) == []
