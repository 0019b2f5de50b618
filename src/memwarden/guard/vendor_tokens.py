"""Shapes of tokens that services hand out, and of connection strings that carry a password.

Every pattern is ASCII, case as issued, and without nested repetition. A named group ``s`` marks the
secret where the pattern needs context around it.
"""

from __future__ import annotations

import re

_WORD = r"[A-Za-z0-9_-]"

_SHAPES: tuple[tuple[str, str], ...] = (
    ("aws_key_id", r"(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA)[A-Z0-9]{16}"),
    ("github_token", r"gh[pousr]_[A-Za-z0-9]{16,255}"),
    ("github_fine_grained_token", r"github_pat_[A-Za-z0-9_]{22,255}"),
    ("gitlab_token", r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_.-]{16,300}"),
    (
        "openai_or_anthropic_key",
        r"sk-(?:proj-|svcacct-|admin-|ant-|or-v1-|demo-|live-|test-)?[A-Za-z0-9_-]{20,300}",
    ),
    ("google_api_key", r"AIza[A-Za-z0-9_-]{30,45}"),
    ("google_oauth_token", r"ya29\.[A-Za-z0-9_.-]{20,500}"),
    ("google_oauth_secret", r"GOCSPX-[A-Za-z0-9_-]{20,40}"),
    ("slack_token", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,255}"),
    ("slack_app_token", r"xapp-\d-[A-Za-z0-9-]{20,255}"),
    ("slack_webhook", r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/-]{20,200}"),
    (
        "discord_webhook",
        r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d{10,22}/[A-Za-z0-9_-]{30,100}",
    ),
    ("teams_webhook", r"https://[a-z0-9-]{1,60}\.webhook\.office\.com/[A-Za-z0-9_/@-]{20,300}"),
    ("stripe_key", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}"),
    ("stripe_webhook_secret", r"whsec_[A-Za-z0-9+/=]{20,100}"),
    ("razorpay_key", r"rzp_(?:live|test)_[A-Za-z0-9]{10,40}"),
    ("huggingface_token", r"hf_[A-Za-z0-9]{20,60}"),
    ("npm_token", r"npm_[A-Za-z0-9]{30,60}"),
    ("pypi_token", r"pypi-[A-Za-z0-9_-]{30,500}"),
    ("rubygems_key", r"rubygems_[a-f0-9]{40,64}"),
    ("sendgrid_key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}"),
    ("mailgun_key", r"key-[a-f0-9]{32}"),
    ("mailchimp_key", r"[a-f0-9]{32}-us\d{1,2}"),
    ("twilio_key", r"(?:SK|AC)[a-f0-9]{32}"),
    ("telegram_bot_token", r"\d{8,10}:AA[A-Za-z0-9_-]{30,40}"),
    ("groq_key", r"gsk_[A-Za-z0-9]{30,80}"),
    ("xai_key", r"xai-[A-Za-z0-9]{40,100}"),
    ("perplexity_key", r"pplx-[A-Za-z0-9]{30,80}"),
    ("replicate_token", r"r8_[A-Za-z0-9]{30,50}"),
    ("langsmith_key", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    ("digitalocean_token", r"do[oprt]_v1_[a-f0-9]{64}"),
    ("shopify_token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("square_token", r"(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{56,64})"),
    ("paypal_token", r"access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    ("databricks_token", r"dapi[a-f0-9]{32}(?:-\d)?"),
    ("vault_token", r"hv[sbr]\.[A-Za-z0-9_-]{24,300}"),
    ("terraform_token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    ("pulumi_token", r"pul-[a-f0-9]{40}"),
    ("doppler_token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,80}"),
    ("linear_key", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    ("notion_token", r"(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})"),
    ("figma_token", r"fig[dou]_[A-Za-z0-9_-]{30,60}"),
    ("airtable_token", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("atlassian_token", r"AT(?:ATT|CTT)3x[A-Za-z0-9_=+/-]{60,300}"),
    ("postman_key", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    ("newrelic_key", r"NRAK-[A-Z0-9]{27}"),
    ("sentry_token", r"sntr[yu]s_[A-Za-z0-9+/=_-]{40,300}"),
    ("grafana_token", r"gl(?:sa|c)_[A-Za-z0-9+/=_]{30,200}"),
    ("docker_token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}"),
    ("supabase_key", r"sb(?:p|_secret|_publishable)_[A-Za-z0-9_]{20,60}"),
    ("planetscale_token", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,80}"),
    ("facebook_token", r"EAA[A-Za-z0-9]{60,250}"),
    ("cloudflare_token", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,150}"),
    ("age_secret_key", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}"),
    ("jwt", r"eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{4,4000}(?:\.[A-Za-z0-9_-]{0,1000})?"),
    ("azure_key", r"(?i:(?:Account|SharedAccess)Key)=(?P<s>[A-Za-z0-9+/]{20,200}={0,2})"),
    ("azure_sas", r"[?&]sig=(?P<s>[A-Za-z0-9%+/=]{30,120})"),
    ("azure_client_secret", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
)

_CONTEXTUAL: tuple[tuple[str, str], ...] = (
    # scheme://user:password@host ; the password may itself hold an @, so the last one before a blank ends it
    ("url_password", r"[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@]{0,80}:(?P<s>[^\s/]{1,160})@[^\s@/]"),
    ("jdbc_password", r"jdbc:[a-z0-9]{2,20}:[a-z:]{0,20}[^\s/:@]{1,60}/(?P<s>[^\s/]{1,100})@"),
    ("connection_password", r"(?i:(?:password|pwd)\s{0,3}=\s{0,3})(?P<s>[^\s;'\"]{3,120})"),
    ("curl_user", r"(?:-u|--user)[ =]['\"]?[^\s:'\"]{1,80}:(?P<s>[^\s'\"]{2,120})"),
    ("authorization_header", r"(?i:\b(?:bearer|basic))\s{1,3}(?P<s>[A-Za-z0-9._~+/-]{16,4000}={0,2})"),
    ("api_header", r"(?i:x-api-key|api-key|x-auth-token)\s{0,3}[:=]\s{0,3}(?P<s>[A-Za-z0-9._~+/=-]{8,400})"),
)

PRIVATE_KEY_START = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?)-----|PuTTY-User-Key-File-\d"
)
PRIVATE_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}-----")

_ANYWHERE = ("https", "[?&]", "(?i:")
_PREFIXED = [(kind, shape) for kind, shape in _SHAPES if not shape.startswith(_ANYWHERE)]

VENDOR_TOKEN = re.compile(f"(?<!{_WORD})(?:{'|'.join(shape for _, shape in _PREFIXED)})", re.ASCII)
"""Any token that is secret wherever it stands; one pattern, so that a text is read once."""

CONTEXT_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.ASCII))
    for kind, pattern in (*_CONTEXTUAL, *((k, s) for k, s in _SHAPES if s.startswith(_ANYWHERE)))
)
"""(kind, pattern) of secrets recognised by the syntax around them; group ``s``, if any, is the secret."""

_KINDS = tuple((kind, re.compile(shape, re.ASCII)) for kind, shape in _PREFIXED)


def vendor_kind(token: str) -> str:
    """Name the kind of a token that `VENDOR_TOKEN` matched."""
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(token)), "token")


PLACEHOLDER = re.compile(
    r"(?:x{6,}|\*{4,}|\.{4,}|<[^>]{1,40}>|\$\{[^}]{1,40}\}|your[_-]?\w{0,20})", re.IGNORECASE
)
"""What stands in documentation where a secret would be."""
