"""What a call may raise."""

from __future__ import annotations

from typing import Any


class PapermoonError(Exception):
    """Base of this package's errors."""


class ProblemError(PapermoonError):
    """The server refused or failed the call (RFC 9457). `str(error)` is a sentence for people."""

    def __init__(self, status: int, code: str | None, detail: str, problem: dict[str, Any]) -> None:
        super().__init__(detail)
        self.status = status
        #: Stable code, such as ``SLIPPAGE_EXCEEDED``; None if the answer was no problem of Papermoon's.
        self.code = code
        self.detail = detail
        #: The whole document.
        self.problem = problem


class NoAnswerError(PapermoonError):
    """No answer came. An order may have been placed: repeat it with `key`, or ask `Papermoon.order(key)`."""

    def __init__(self, message: str, key: str | None) -> None:
        super().__init__(message)
        self.key = key
