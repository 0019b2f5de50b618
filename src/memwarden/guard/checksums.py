"""Check digits of cards and government numbers: what tells a number from a look-alike."""

from __future__ import annotations

_D = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
_P = (
    "0123456789", "1576283094", "5803796142", "8916043527",
    "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip


def luhn(digits: str) -> bool:
    """Tell whether the last digit is the Luhn check digit of a payment card or similar number."""
    total = 0
    for position, ch in enumerate(reversed(digits)):
        value = int(ch)
        if position % 2:
            value = value * 2 - 9 if value > 4 else value * 2
        total += value
    return total % 10 == 0 and len(set(digits)) > 1


def verhoeff(digits: str) -> bool:
    """Tell whether the last digit is the Verhoeff check digit of an Aadhaar number."""
    check = 0
    for position, ch in enumerate(reversed(digits)):
        check = int(_D[check][int(_P[position % 8][int(ch)])])
    return check == 0


def iban(text: str) -> bool:
    """Tell whether an IBAN without blanks satisfies its mod-97 check."""
    rearranged = text[4:] + text[:4]
    return int("".join(str(int(ch, 36)) for ch in rearranged)) % 97 == 1


def cpf(digits: str) -> bool:
    """Tell whether eleven digits are a Brazilian CPF."""
    if len(set(digits)) == 1:
        return False
    for length in (9, 10):
        total = sum(int(digits[i]) * (length + 1 - i) for i in range(length))
        if (total * 10 % 11) % 10 != int(digits[length]):
            return False
    return True


def dni(digits: str, letter: str) -> bool:
    """Tell whether a Spanish DNI carries the letter its digits call for."""
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == letter


def chinese_id(text: str) -> bool:
    """Tell whether eighteen characters are a resident identity number of China."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(weight * int(ch) for weight, ch in zip(weights, text[:17], strict=True))
    return "10X98765432"[total % 11] == text[17].upper()


def french_nir(digits: str) -> bool:
    """Tell whether fifteen digits are a French social security number with its key."""
    return 97 - int(digits[:13]) % 97 == int(digits[13:])
