"""Figures: decimal text on the wire, `Decimal` in a program."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from .types import FIGURES

Amount = Decimal | str | int


def to_text(amount: Amount) -> str:
    """The plain notation of an amount. A float is refused: it is rarely the number that one means."""
    if isinstance(amount, bool) or not isinstance(amount, (Decimal, str, int)):
        raise TypeError(f"an amount is a Decimal, text or int, not {type(amount).__name__}")
    return format(Decimal(amount), "f")


def to_decimals(value: Any) -> Any:
    """A parsed answer with each figure as `Decimal`."""
    if isinstance(value, list):
        return [to_decimals(item) for item in value]
    if isinstance(value, dict):
        return {name: _to_figure(name, item) for name, item in value.items()}
    return value


def _to_figure(name: str, value: Any) -> Any:
    return Decimal(value) if name in FIGURES and isinstance(value, str) else to_decimals(value)
