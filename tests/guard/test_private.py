"""Secrets and identifiers, with tokens put together at run time."""

from __future__ import annotations

import pytest

from memwarden.guard import redact
from memwarden.guard.checksums import cpf, dni, iban, luhn, verhoeff

BODY = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"

TOKENS = {
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "github": "ghp" + "_" + BODY[:36],
    "gitlab": "glpat" + "-" + BODY[:20],
    "slack": "xox" + "b-" + "123456789012-" + BODY[:24],
    "stripe": "sk" + "_live_" + BODY[:24],
    "npm": "npm" + "_" + BODY[:36],
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJzdWIiOiJ4In0." + BODY[:20],
    "pypi": "pypi" + "-" + BODY,
}


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.parametrize("frame", ["{}", "use {} for it", "टोकन{}है", "({})", "token={}"])
def test_vendor_tokens_are_removed_whole_wherever_they_stand(name: str, frame: str) -> None:
    token = TOKENS[name]
    assert token not in redact(frame.format(token))
    assert token[6:] not in redact(frame.format(token))


@pytest.mark.parametrize(
    "text",
    [
        "the alarm code for the flat is {}7731",
        "UPI PIN {}443322",
        "mon mot de passe est {}Soleil!88",
        "mein WLAN-Passwort lautet {}Apfelbaum7",
        "mera password {}Delhi@123 hai",
        "senha: {}gato2020",
        "密码是{}Qinghe#3308",
        "Пароль: {}Voda77!",
    ],
)
def test_credentials_in_prose(text: str) -> None:
    value = text.split("{}")[1].split()[0]
    redacted = redact(text.replace("{}", ""))
    assert "[secret removed]" in redacted
    assert value not in redacted


@pytest.mark.parametrize(
    "text",
    [
        "I resent the password policy",
        "The token limit is 4096",
        "The API key rotates every 90 days",
        "My PIN code for deliveries is 560034",
        "My password is too long to remember",
        "I forgot my password again",
        "The secret to good coffee is patience",
        "We log in with SSO",
    ],
)
def test_talk_about_credentials_is_left_alone(text: str) -> None:
    assert redact(text) == text


def test_a_private_key_goes_to_its_end_or_to_the_end_of_the_text() -> None:
    head = "-----BEGIN " + "PRIVATE KEY-----"
    tail = "-----END " + "PRIVATE KEY-----"
    assert redact(f"key {head}\n{BODY}\n{BODY}\n{tail} thanks") == "key [secret removed] thanks"
    assert BODY[:10] not in redact(f"key {head}\n{BODY}\n{BODY}")


def test_redaction_leaves_the_rest_untouched() -> None:
    assert redact("mail 日本 password: " + "Kestrel" + "#44 ok") == "mail 日本 password: [secret removed] ok"


def test_check_digits() -> None:
    assert luhn("4111111111111111")
    assert not luhn("4111111111111112")
    assert verhoeff("999941057058")
    assert not verhoeff("999941057059")
    assert iban("GB82WEST12345698765432")
    assert cpf("12345678909")
    assert dni("12345678", "Z")
