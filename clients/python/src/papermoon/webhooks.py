"""Messages of webhooks, which are signed by Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from .errors import PapermoonError
from .figures import to_decimals

#: Max difference of the two clocks in seconds. An older message may be a replay.
TOLERANCE = 300
VERSION = "v1,"


class SignatureError(PapermoonError):
    """The message is not from Papermoon or is too old. Respond with 401."""


def read_webhook(headers: Mapping[str, str], body: bytes, secret: str, *, now: float | None = None) -> dict[str, Any]:
    """Verifies and parses a message, with numbers as `Decimal`. `body` is the raw body. `secret` is ``whsec_…``.

    The ``type`` is ``challenge`` (respond with ``data["challenge"]``), ``ping`` or ``events``. Raises `SignatureError`.
    """
    named = {name.lower(): value for name, value in headers.items()}
    sent_at = named.get("webhook-timestamp", "")
    # Accept only a few ASCII digits, because int() accepts other digits and rejects very long numbers.
    if not (sent_at.isascii() and sent_at.isdigit() and len(sent_at) <= 12):
        raise SignatureError("The message has no time.")
    if abs((time.time() if now is None else now) - int(sent_at)) > TOLERANCE:
        raise SignatureError("The message is too old, or a clock is wrong.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{named.get('webhook-id', '')}.{sent_at}.".encode(errors="replace") + body
    expected = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    given = [text.removeprefix(VERSION) for text in named.get("webhook-signature", "").split() if text.startswith(VERSION)]
    # While a secret is being replaced, a message has two signatures.
    if not any(hmac.compare_digest(expected.encode(), text.encode(errors="replace")) for text in given):
        raise SignatureError("The signature is not Papermoon's.")
    try:
        message = to_decimals(json.loads(body))
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise SignatureError("The message is no JSON of Papermoon's.") from error
    if not isinstance(message, dict):
        raise SignatureError("The message is no object.")
    return message
