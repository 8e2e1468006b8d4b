"""The market's events (Server-Sent Events), as an asynchronous iterator that resumes after a lost connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any

import httpx

from .errors import ProblemError
from .figures import to_decimals

#: Errors from parsing text that is not from Papermoon, which count as a lost connection.
GARBAGE = (ValueError, TypeError, ArithmeticError, AttributeError, RecursionError)
#: Seconds of silence after which the connection counts as lost. Heartbeats come more often.
SILENCE_MAX = 45.0
FIRST_WAIT = 0.2
LAST_WAIT = 10.0


@dataclass(frozen=True)
class Event:
    """`data` is the event with numbers as `Decimal`. An event can come twice, with the same `(tokenId, seq)`."""

    type: str
    data: dict[str, Any]
    #: The cursor with which a later stream resumes: `stream_events(after=event.cursor)`.
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
    """Yields events of `tokens` (by default all) and `types`, after the cursor `after` or from now on.

    `types` are launch, trade, rug, seal, post, order and, with `fairs`, fair. The default is launch, trade and rug.
    ``order`` events are changes to waiting orders of the `key`'s owner. With `fairs`, you get events of these fairs
    instead of the fairground's. Their cursors are not valid for the fairground. A room needs the `key` of a member.

    Reconnects for ever after a lost connection or a failure of the server, and resumes after the last event. An event
    ``gap`` says that events are missing. With `mark_live`, an event ``live`` says after each connection that all past
    events were sent. Raises `ProblemError` if the server refuses the stream, for example because of the cursor.
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
    """Raises if the server refused the stream. If the server failed or is busy, the connection counts as lost."""
    if response.is_success:
        return
    if response.status_code >= 500 or response.status_code == 429:
        raise httpx.ReadError(f"The server answered {response.status_code}.")
    text = (await response.aread()).decode()
    problem = json.loads(text) if "json" in response.headers.get("content-type", "") else {}
    raise ProblemError(response.status_code, problem.get("code"), problem.get("detail", text), problem)


async def _parse(lines: AsyncIterator[str]) -> AsyncIterator[tuple[Event | None, str]]:
    """Yields each message's event and cursor. A message without an event only updates the cursor."""
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
