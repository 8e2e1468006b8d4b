"""The errors that a call may raise."""

from __future__ import annotations

from typing import Any


class PapermoonError(Exception):
    """The base class of this package's errors."""


class ProblemError(PapermoonError):
    """The server refused the call or failed (RFC 9457). `str(error)` is a sentence for people."""

    def __init__(self, status: int, code: str | None, detail: str, problem: dict[str, Any]) -> None:
        super().__init__(detail)
        self.status = status
        #: Stable code, such as ``SLIPPAGE_EXCEEDED``; None if the response was not from Papermoon.
        self.code = code
        self.detail = detail
        #: The whole problem document.
        self.problem = problem


class NoAnswerError(PapermoonError):
    """The server did not respond. To find out about an order, repeat it with `key` or call `Papermoon.order(key)`."""

    def __init__(self, message: str, key: str | None) -> None:
        super().__init__(message)
        self.key = key
