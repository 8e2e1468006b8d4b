"""Calls over HTTP, which raise problem details as errors and repeat orders with their key."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import httpx

from .errors import NoAnswerError, PapermoonError, ProblemError
from .figures import to_decimals

#: First and longest wait before a repeat in seconds, if the server names no time. The wait doubles each time.
FIRST_WAIT = 0.1
LAST_WAIT = 5.0


class Transport:
    """Calls one server, and repeats a call without a decision for `give_up_after` seconds."""

    def __init__(self, url: str, key: str | None, timeout: float, give_up_after: float) -> None:
        headers = {"accept": "application/json"}
        if key is not None:
            headers["authorization"] = f"Bearer {key}"
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout)
        self._give_up_after = give_up_after

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        return self.get_page(path, params)[0]

    def get_page(self, path: str, params: Mapping[str, Any] | None = None) -> tuple[Any, str | None]:
        """Returns the response and the URL of the next page (``Link: <…>; rel="next"``), or None on the last page."""
        response = self._repeat("GET", path, params=None if params is None else _without_none(params))
        return _parse(response), response.links.get("next", {}).get("url")

    def ask(self, path: str, body: Mapping[str, Any]) -> Any:
        """Sends an idempotent POST, which is repeated like a GET."""
        return _parse(self._repeat("POST", path, json=_without_none(body)))

    def post(self, path: str, body: Mapping[str, Any], key: str | None = None) -> Any:
        """Sends a POST. Without `key`, does not repeat it after no response, because it may have had an effect."""
        headers = {} if key is None else {"idempotency-key": key}
        call = self._repeat if key is not None else self._call
        return _parse(call("POST", path, json=_without_none(body), headers=headers, key=key))

    def _repeat(self, method: str, path: str, key: str | None = None, **request: Any) -> httpx.Response:
        give_up_at = time.monotonic() + self._give_up_after
        attempt = 0
        while True:
            try:
                return self._call(method, path, key=key, **request)
            except PapermoonError as error:
                wait = _to_wait(error, attempt)
                if wait is None or time.monotonic() + wait > give_up_at:
                    raise
            time.sleep(wait)
            attempt += 1

    def _call(self, method: str, path: str, key: str | None = None, **request: Any) -> httpx.Response:
        try:
            response = self._http.request(method, path, **request)
        except httpx.TransportError as error:
            raise NoAnswerError(f"{type(error).__name__}: {error}", key) from error
        if not response.is_success:
            raise _to_problem(response)
        return response


def _parse(response: httpx.Response) -> Any:
    return to_decimals(response.json())


def _to_wait(error: PapermoonError, attempt: int) -> float | None:
    """Returns the seconds until a repeat; None after a decision, unlike a rate limit or OUTCOME_UNKNOWN."""
    backoff = min(FIRST_WAIT * 2.0**attempt, LAST_WAIT)
    if not isinstance(error, ProblemError):
        return backoff
    if error.status < 500 and error.status != 429:
        return None
    named = error.problem.get("retryAfter")
    return float(named) if named is not None else backoff


def _to_problem(response: httpx.Response) -> ProblemError:
    is_problem = "json" in response.headers.get("content-type", "")
    problem = response.json() if is_problem else {}
    if not isinstance(problem, dict):
        problem = {}
    after = response.headers.get("retry-after", "")
    if after.isdigit():
        problem = {**problem, "retryAfter": int(after)}
    detail = problem.get("detail") or response.text or response.reason_phrase
    return ProblemError(response.status_code, problem.get("code"), str(detail), problem)


def _without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
