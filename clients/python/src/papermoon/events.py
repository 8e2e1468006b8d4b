"""The market's events (Server-Sent Events), as an asynchronous iterator that resumes after a loss."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any

import httpx

from .errors import ProblemError
from .figures import to_decimals

#: What parsing text that is not Papermoon's raises; it counts as a lost connection.
GARBAGE = (ValueError, TypeError, ArithmeticError, AttributeError, RecursionError)
#: Heartbeats come more often; after so many silent seconds the connection counts as lost.
SILENCE_MAX = 45.0
FIRST_WAIT = 0.2
LAST_WAIT = 10.0


@dataclass(frozen=True)
class Event:
    """`data` is the event with its figures as `Decimal`. Delivery is at least once: `(tokenId, seq)` tells a repeat."""

    type: str
    data: dict[str, Any]
    #: Where a later stream goes on: `stream_events(after=event.cursor)`.
    cursor: str


async def stream_events(
    url: str = "http://localhost:3000",
    *,
    tokens: Iterable[int] | None = None,
    types: Iterable[str] | None = None,
    fairs: Iterable[int] | None = None,
    key: str | None = None,
    after: str | None = None,
    mark_live: bool = False,
) -> AsyncGenerator[Event, None]:
    """Yields events of `tokens` (default: all) and `types`, from `after` or from now on.

    `types` are launch, trade, rug, seal, post, order, and with `fairs` also fair (default: launch, trade and rug).
    ``order`` brings the changes of the waiting orders of the `key`'s owner.
    With `fairs` they are events of those fairs instead of the fairground, with cursors of their own; rooms come with the
    `key` of a member.

    Reconnects for ever after a lost connection or a failing server, and goes on after the last event. An event of the
    type ``gap`` says that events are missing. With `mark_live`, an event of the type ``live`` says that the past ends,
    where the stream resumed: what follows happens from now on. It comes again after a lost connection. Raises `ProblemError` if the server refuses, for example the cursor.
    """
    params = {"tokens": _join(tokens), "types": _join(types), "fairs": _join(fairs)}
    query = {name: text for name, text in params.items() if text is not None}
    wait = FIRST_WAIT
    async with httpx.AsyncClient(base_url=url, timeout=httpx.Timeout(10.0, read=SILENCE_MAX)) as http:
        while True:
            try:
                async with http.stream("GET", "/api/events", params=query, headers=_to_headers(after, key)) as response:
                    await _assert_streams(response)
                    async for event, cursor in _parse(response.aiter_lines()):
                        wait = FIRST_WAIT
                        after = cursor or after
                        if event is not None and (mark_live or event.type != "live"):
                            yield event
            except (httpx.TransportError, *GARBAGE):
                pass
            await asyncio.sleep(wait)
            wait = min(wait * 2, LAST_WAIT)


def _join(items: Iterable[object] | None) -> str | None:
    return None if items is None else ",".join(str(item) for item in items)


def _to_headers(after: str | None, key: str | None) -> dict[str, str]:
    headers = {"accept": "text/event-stream, application/problem+json"}
    if key is not None:
        headers["authorization"] = f"Bearer {key}"
    return headers if after is None else {**headers, "last-event-id": after}


async def _assert_streams(response: httpx.Response) -> None:
    """Raises for a refusal; a server that fails or is busy counts as a lost connection."""
    if response.is_success:
        return
    if response.status_code >= 500 or response.status_code == 429:
        raise httpx.ReadError(f"The server answered {response.status_code}.")
    text = (await response.aread()).decode()
    problem = json.loads(text) if "json" in response.headers.get("content-type", "") else {}
    raise ProblemError(response.status_code, problem.get("code"), problem.get("detail", text), problem)


async def _parse(lines: AsyncIterator[str]) -> AsyncIterator[tuple[Event | None, str]]:
    """Each message's event and cursor. One without an event only moves the place to go on from."""
    cursor, kind, data = "", "message", list[str]()
    async for line in lines:
        if line == "":
            event = Event(kind, to_decimals(dict(json.loads("\n".join(data)))), cursor) if data else None
            yield event, cursor
            kind, data = "message", []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            cursor = value
        elif name == "event":
            kind = value
        elif name == "data":
            data.append(value)
