"""Sentences people ask an assistant to remember, and questions they ask it later, composed from templates."""

from __future__ import annotations

import re

import numpy as np

_FILLERS = {
    "name": "Srinivas Lakshmi Ahmed Priya Zoltán María Chinedu Yuki Olga Ramesh Fatima Søren Ananya Wei Tomás Padma",
    "city": "Hyderabad Pune Chennai Madrid Lagos Oslo Kraków Austin Vijayawada Lyon Nairobi Osaka Mysuru Seville Leeds",
    "team": "payroll logistics platform design legal procurement research support security finance onboarding",
    "tool": "Excel Jira Figma PostgreSQL Salesforce Slack Terraform Tableau GitLab SAP Notion Kubernetes",
    "food": "peanuts shellfish mushrooms coriander dairy gluten soya sesame eggs aubergine",
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "month": "January March April June August September November December",
    "thing": "invoices|timesheets|status reports|travel bookings|release notes|expense claims|meeting minutes"
    "|customer calls|sales forecasts|leave requests|contracts|dashboards",
    "hobby": "badminton|Carnatic music|trail running|chess|woodworking|bird watching|salsa|pottery|long-distance cycling",
    "n": "2 3 4 5 6 8 10 12 15 20 30 45",
    "vehicle": "a Hero scooter|an electric car|a folding bicycle|the metro|a company shuttle|the night train",
    "device": "a ThinkPad|a MacBook|an Android phone|two monitors|a split keyboard|a screen reader|noise-cancelling headphones",
}

_STATEMENTS = """
Works in the {team} team and reports to {name}
My manager is {name}, who is based in {city}
Moved from {city} to {city} in {month}
Travels to {city} by {vehicle} every {day}
Prefers meetings on {day} after {n} in the afternoon
Is allergic to {food} and avoids {food}
Prefers {thing} as a short list with no more than {n} points
Needs {thing} approved by {name} before {day}
Uses {tool} and {tool} for {thing}
Would rather not use {tool} for {thing}
Is learning {tool} with {name} from the {team} team
Practises {hobby} on {day} evenings in {city}
Has {n} years of experience with {tool}
Leads a group of {n} people in {team}
Sends {thing} to {name} at the end of every {month}
Takes care of the children on {day} afternoons
Works from home in {city} on {day} and {day}
Wants numbers in {thing} rounded to {n} digits
Works on {device} and prefers keyboard shortcuts
The project with {name} ends in {month}
Likes {thing} to begin with the conclusion
Is preparing for a certificate in {tool} in {month}
Commutes with {vehicle} and is offline for {n} minutes
Wants to be reminded of {thing} {n} days before they are due
Keeps {thing} in {tool}, sorted by customer
Shares an office with {name} and {name}
Goes to {city} for {hobby} every {month}
Reviews {thing} together with {name} on {day}
Eats no {food} and orders vegetarian meals when travelling to {city}
The assistant from {team} who helps with {thing} is {name}
मैं {team} टीम में काम करता हूँ और {name} मेरे मैनेजर हैं
मुझे {day} को {city} में मीटिंग पसंद नहीं है
मुझे {food} से एलर्जी है
मैं {thing} के लिए {tool} इस्तेमाल करता हूँ
मेरा घर {city} में है और मैं {vehicle} से ऑफिस जाता हूँ
मुझे {thing} छोटी सूची में चाहिए, {n} से ज़्यादा बिंदु नहीं
mujhe {thing} {day} ko chahiye, subah {n} baje se pehle
main {city} mein rehta hoon aur {hobby} seekh raha hoon
mere saath {name} aur {name} bhi {team} mein kaam karte hain
నేను {team} బృందంలో పని చేస్తున్నాను, మా మేనేజర్ {name}
నాకు {food} పడదు
నేను {city} నుండి {vehicle} లో ఆఫీసుకు వస్తాను
{thing} కోసం నేను {tool} వాడతాను
నాకు {day} సాయంత్రం సమావేశాలు వద్దు
naaku {thing} prathi {day} kavali, {name} ki kuda pampandi
Trabajo en el equipo de {team} con {name}
Soy alérgico a {food} y no como {food}
Prefiero las reuniones los {day} después de las {n}
Uso {tool} para preparar {thing}
Vivo en {city} y viajo con {vehicle}
Envío {thing} a {name} cada {month}
Los {day} practico {hobby} en {city}
"""

_QUESTIONS = """
Who is my manager in {city}?
What did I say about {food}?
How do I like my {thing}?
Which day suits me for a meeting with {name}?
Can you prepare the {thing} for {name}?
Book a trip to {city} in {month} please
Who approves {thing} before {day}?
Which tool do I use for {thing}, {tool} or {tool}?
What do I usually do on {day} evenings?
Remind me when the project with {name} ends
Please order lunch for the team trip to {city}, you know what I cannot eat
How many years have I worked with {tool}?
Draft a message to {name} of the {team} team about the {thing}
What should I take to the office in {city} on {day}?
Is there anything to know about my {hobby} class?
When am I working from home this week?
Shrinivas and Laxmi asked for the {thing}, what do they need?
मेरे मैनेजर कौन हैं और {city} में कौन काम करता है?
मुझे किस खाने से एलर्जी है, {food} या {food}?
meri {thing} kab chahiye thi, {day} ko?
నేను ఏ బృందంలో పని చేస్తున్నాను?
{thing} కోసం నేను ఏ సాధనం వాడతాను?
¿A quién envío {thing} en {month}?
¿Qué comida no puedo comer, {food}?
¿Cuándo practico {hobby} en {city}?
"""

SLOTS: dict[str, list[str]] = {
    "language": [f"Prefers replies in {x}" for x in "English Telugu Hindi Spanish Tamil German".split()],
    "length": [f"Prefers {x} replies" for x in "short detailed medium-length".split()],
    "location": [f"Is based in {x}" for x in _FILLERS["city"].split()],
    "role": [
        f"Works as {x}" for x in ("a recruiter", "a payroll clerk", "an architect", "a buyer", "a nurse")
    ],
    "time_zone": [
        f"Is in the time zone {x}" for x in ("Asia/Kolkata", "Europe/Madrid", "UTC", "America/Chicago")
    ],
    "name": [f"Wants to be called {x}" for x in _FILLERS["name"].split()],
}
"""The profile slots every user of the benchmark has filled, each with the sentences it can hold."""


def statements(count: int, seed: int) -> list[str]:
    """Return ``count`` distinct sentences to remember, of every template and language about equally many."""
    return _compose(_STATEMENTS, count, seed)


def questions(count: int, seed: int) -> list[str]:
    """Return ``count`` distinct questions."""
    return _compose(_QUESTIONS, count, seed)


def _compose(templates: str, count: int, seed: int) -> list[str]:
    """Fill the templates in turn until there are ``count`` different sentences.

    A template may run out of new sentences; the others then go on, and a serial number helps when all have.
    """
    rng = np.random.default_rng(seed)
    lines = templates.strip().splitlines()
    made: dict[str, None] = {}
    attempts = 0
    while len(made) < count:
        sentence = _filled(lines[attempts % len(lines)], rng)
        attempts += 1
        made.setdefault(sentence if attempts < 20 * count else f"{sentence} ({attempts})")
    return list(made)


def _filled(template: str, rng: np.random.Generator) -> str:
    return re.sub(r"\{(\w+)\}", lambda field: _choice(field[1], rng), template)


def _choice(field: str, rng: np.random.Generator) -> str:
    text = _FILLERS[field]
    options = text.split("|") if "|" in text else text.split()
    return options[int(rng.integers(len(options)))]
