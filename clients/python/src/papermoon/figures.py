"""Conversions between the decimal text of the API and `Decimal`."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from .types import FIGURES

Amount = Decimal | str | int


def to_text(amount: Amount) -> str:
    """Formats an amount in plain notation. Rejects floats, because they are rarely exact."""
    if isinstance(amount, bool) or not isinstance(amount, (Decimal, str, int)):
        raise TypeError(f"an amount is a Decimal, text or int, not {type(amount).__name__}")
    return format(Decimal(amount), "f")


def to_decimals(value: Any) -> Any:
    """Converts the numbers of a parsed response to `Decimal`."""
    if isinstance(value, list):
        return [to_decimals(item) for item in value]
    if isinstance(value, dict):
        return {name: _to_figure(name, item) for name, item in value.items()}
    return value


def _to_figure(name: str, value: Any) -> Any:
    return Decimal(value) if name in FIGURES and isinstance(value, str) else to_decimals(value)
