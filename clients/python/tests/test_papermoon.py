"""Runs against the server at PAPERMOON_URL, with the API key PAPERMOON_KEY of a player, as an installed package."""

from __future__ import annotations

import asyncio
import os
import threading
import unittest
from contextlib import aclosing
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from uuid import uuid4

from papermoon import Event, NoAnswerError, Papermoon, ProblemError, stream_events
from papermoon.figures import to_text

URL = os.environ["PAPERMOON_URL"]
KEY = os.environ["PAPERMOON_KEY"]


class MarketTest(unittest.TestCase):
    def setUp(self) -> None:
        self.market = Papermoon(URL, KEY)
        self.addCleanup(self.market.close)

    def launch(self) -> int:
        return self.market.launch("Python", "PY", initial_buy="1")["id"]

    def test_reads_figures_as_decimals(self) -> None:
        token = self.market.token(self.launch())
        self.assertIsInstance(token["currentPrice"], Decimal)
        self.assertIsInstance(token["pool"]["solReserve"], Decimal)
        self.assertEqual((token["name"], token["symbol"]), ("Python", "PY"))
        self.assertIn(token["id"], [listed["id"] for listed in self.market.tokens(limit=5)])
        self.assertEqual(len(self.market.trades(token["id"])), 1)
        self.assertIsInstance(self.market.leaderboard(), list)

    def test_buys_and_sells_exactly(self) -> None:
        token_id = self.launch()
        before = self.market.position(token_id)
        bought = self.market.buy(token_id, Decimal("0.5"), min_tokens=1)
        self.assertEqual(bought["position"]["balance"], before["balance"] - Decimal("0.5"))
        self.assertEqual(bought["position"]["amount"], before["amount"] + bought["tokensOut"])
        sold = self.market.sell(token_id, bought["tokensOut"])
        self.assertEqual(sold["position"]["amount"], before["amount"])
        self.assertIn(token_id, [held["tokenId"] for held in self.market.portfolio()])

    def test_places_an_order_once_under_its_key(self) -> None:
        token_id = self.launch()
        key = str(uuid4())
        self.assertIsNone(self.market.order(key))
        first = self.market.buy(token_id, "0.25", key=key)
        again = self.market.buy(token_id, "0.25", key=key)
        self.assertEqual(first["trade"], again["trade"])
        outcome = self.market.order(key)
        assert outcome is not None
        self.assertEqual((outcome["status"], outcome["trade"]), ("filled", first["trade"]))
        self.assertEqual([order["key"] for order in self.market.orders()].count(key), 1)

    def test_raises_the_problem_of_a_refusal(self) -> None:
        with self.assertRaises(ProblemError) as raised:
            self.market.buy(self.launch(), "1", min_tokens="999999999")
        self.assertEqual((raised.exception.status, raised.exception.code), (422, "SLIPPAGE_EXCEEDED"))
        self.assertEqual(str(raised.exception), raised.exception.problem["detail"])
        with self.assertRaises(TypeError):
            self.market.buy(1, 0.1)  # type: ignore[arg-type]

    def test_streams_events_and_goes_on_after_a_cursor(self) -> None:
        token_id = self.launch()
        first = asyncio.run(self.see_first(token_id))
        self.assertIsInstance(first.data["trade"]["solAmount"], Decimal)
        for _ in range(3):
            last = self.market.buy(token_id, "0.1")["trade"]["seq"]
        events = asyncio.run(self.read(token_id, first.cursor, last))
        # A stream may repeat events around its cursor; the sequence numbers tell.
        begin = first.data["seq"]
        self.assertEqual(self.list_after(begin, events), list(range(begin + 1, last + 1)))
        middle = next(event for event in events if event.data["seq"] == begin + 2)
        later = asyncio.run(self.read(token_id, middle.cursor, last))
        self.assertEqual(self.list_after(begin + 2, later), list(range(begin + 3, last + 1)))

    @staticmethod
    def list_after(seq: int, events: list[Event]) -> list[int]:
        return sorted({event.data["seq"] for event in events if event.data["seq"] > seq})

    async def see_first(self, token_id: int) -> Event:
        """The first event that a listener from now on gets; buys until there is one."""
        is_seen = asyncio.Event()

        async def buy_until_seen() -> None:
            while not is_seen.is_set():
                await asyncio.to_thread(self.market.buy, token_id, "0.1")

        buying = asyncio.create_task(buy_until_seen())
        try:
            return (await self.read(token_id, None, None))[-1]
        finally:
            is_seen.set()
            await buying

    async def read(self, token_id: int, after: str | None, last: int | None) -> list[Event]:
        """Trades up to the number `last`; None: one trade."""
        events: list[Event] = []
        async with asyncio.timeout(60), aclosing(
            stream_events(URL, tokens=[token_id], types=["trade"], after=after)
        ) as stream:
            async for event in stream:
                events.append(event)
                if last in (None, event.data["seq"]):
                    break
        return events

    def test_refuses_a_wrong_cursor(self) -> None:
        async def read() -> None:
            async for _ in stream_events(URL, after="nonsense"):
                pass

        with self.assertRaises(ProblemError) as raised:
            asyncio.run(read())
        self.assertEqual(raised.exception.status, 400)


class RepeatTest(unittest.TestCase):
    """A server that answers as one does in trouble."""

    def start(self, *statuses: int | None) -> tuple[str, list[str | None]]:
        keys: list[str | None] = []
        answers = list(statuses)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                keys.append(self.headers.get("idempotency-key"))
                status = answers.pop(0)
                if status is None:
                    self.connection.close()
                    return
                body = b'{"code":"OUTCOME_UNKNOWN","detail":"Nobody knows."}' if status != 200 else b'{"tokensOut":"2.5"}'
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}", keys

    def test_repeats_an_order_with_its_key_until_it_is_answered(self) -> None:
        url, keys = self.start(None, 503, 200)
        with Papermoon(url) as market:
            self.assertEqual(market.buy(1, 1)["tokensOut"], Decimal("2.5"))
        self.assertEqual(len(keys), 3)
        self.assertEqual(len(set(keys)), 1)
        self.assertIsNotNone(keys[0])

    def test_gives_up_with_the_key(self) -> None:
        url, keys = self.start(None)
        with Papermoon(url, give_up_after=0) as market, self.assertRaises(NoAnswerError) as raised:
            market.buy(1, 1, key="mine")
        self.assertEqual((raised.exception.key, keys), ("mine", ["mine"]))

    def test_does_not_repeat_a_refusal(self) -> None:
        url, keys = self.start(422)
        with Papermoon(url) as market, self.assertRaises(ProblemError):
            market.sell(1, 1)
        self.assertEqual(len(keys), 1)


class ReconnectTest(unittest.TestCase):
    def test_goes_on_after_the_last_event_when_the_connection_is_lost(self) -> None:
        seen: list[str | None] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                seen.append(self.headers.get("last-event-id"))
                self.send_response(503 if len(seen) == 2 else 200)
                self.end_headers()
                if len(seen) != 2:
                    self.wfile.write(f': hello\nid: c{len(seen)}\nevent: trade\ndata: {{"fee":"0.1"}}\n\n'.encode())

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)

        async def read() -> list[Event]:
            events: list[Event] = []
            async with asyncio.timeout(60), aclosing(stream_events(f"http://127.0.0.1:{server.server_port}")) as stream:
                async for event in stream:
                    events.append(event)
                    if len(events) == 2:
                        break
            return events

        fee = {"fee": Decimal("0.1")}
        self.assertEqual(asyncio.run(read()), [Event("trade", fee, "c1"), Event("trade", fee, "c3")])
        self.assertEqual(seen, [None, "c1", "c1"])


class AmountTest(unittest.TestCase):
    def test_is_plain_text(self) -> None:
        self.assertEqual([to_text(Decimal("1E-7")), to_text("1.50"), to_text(3)], ["0.0000001", "1.50", "3"])


if __name__ == "__main__":
    unittest.main()
