"""Runs against the server at PAPERMOON_URL, with the API key PAPERMOON_KEY of a player, as an installed package."""

from __future__ import annotations

import asyncio
import base64
import hmac
import os
import threading
import time
import unittest
from contextlib import aclosing
from decimal import Decimal
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

import httpx

from papermoon import Event, NoAnswerError, Papermoon, ProblemError, SignatureError, read_webhook, stream_events
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

    def test_places_an_order_that_waits_and_cancels_it(self) -> None:
        token_id = self.launch()
        stop = {"tokens": 1_000_000, "stop_price": "0.00000001", "least_price": "any", "lasts": "hour"}
        placed = self.market.place_waiting(token_id, "stop", **stop)["order"]
        self.assertEqual((placed["state"], placed["leastPrice"]), ("waiting", None))
        waits = datetime.fromisoformat(placed["expiresAt"]) - datetime.fromisoformat(placed["placedAt"])
        self.assertEqual(waits.total_seconds(), 3600)
        self.assertEqual([order["id"] for order in self.market.waiting_orders(token_id=token_id)], [placed["id"]])
        self.assertEqual(self.market.cancel_waiting(ids=[placed["id"]])[0]["state"], "cancelled")

    def test_quotes_what_an_order_then_does(self) -> None:
        token_id = self.launch()
        quote = self.market.quote_buy(token_id, "0.5")
        bought = self.market.buy(token_id, "0.5", min_tokens=quote["tokenAmount"])
        self.assertEqual(bought["trade"]["seq"], quote["seq"] + 1)
        self.assertEqual((bought["tokensOut"], bought["newPrice"]), (quote["tokenAmount"], quote["newPrice"]))
        quote = self.market.quote_sell(token_id, bought["tokensOut"])
        self.assertEqual(self.market.sell(token_id, bought["tokensOut"])["solOut"], quote["solAmount"])
        self.assertEqual(self.market.quote_launch("1")["launchFee"], self.market.parameters()["launchFee"])

    def test_tries_an_order_without_placing_it(self) -> None:
        token_id = self.launch()
        before = self.market.position(token_id)
        key = str(uuid4())
        tried = self.market.buy(token_id, "0.5", key=key, dry_run=True)
        self.assertTrue(tried["dryRun"])
        self.assertTrue(self.market.sell(token_id, "1", dry_run=True)["dryRun"])
        self.assertTrue(self.market.launch("Never", "NEVER", dry_run=True)["dryRun"])
        self.assertTrue(self.market.rug(token_id, dry_run=True)["dryRun"])
        with self.assertRaises(ProblemError) as raised:
            self.market.buy(token_id, "100000", dry_run=True)
        self.assertEqual(raised.exception.code, "INSUFFICIENT_BALANCE")
        self.assertEqual(self.market.position(token_id), before)
        self.assertIsNone(self.market.order(key))
        self.assertEqual(self.market.buy(token_id, "0.5", key=key)["tokensOut"], tried["tokensOut"])
        self.assertGreater(self.market.rug(token_id)["ruggedAmount"], 0)
        self.assertIsNotNone(self.market.token(token_id)["ruggedAt"])

    def test_knows_the_market_s_rules_and_the_caller(self) -> None:
        parameters = self.market.parameters()
        self.assertEqual((parameters["tradingFee"], parameters["launchFee"]), (Decimal("0.003"), Decimal("0.02")))
        self.assertEqual(parameters["decimals"], {"sol": 9, "token": 6, "price": 18})
        self.assertEqual(parameters["caller"]["kind"], "key")

    def test_reads_history(self) -> None:
        token_id = self.launch()
        last = self.market.buy(token_id, "0.1")["trade"]
        first = next(trade for trade in self.market.all_trades() if trade["tokenId"] == token_id)
        self.assertEqual((first["id"], first["tokenSymbol"], first["price"]), (last["id"], "PY", last["price"]))
        placed = datetime.fromisoformat(last["createdAt"])
        self.assertNotIn(last["id"], [trade["id"] for trade in self.market.all_trades(until=placed)])
        self.assertIn(last["id"], [trade["id"] for trade in self.market.all_trades(since=placed)])
        candles = list(self.market.candles(token_id, "1m"))
        self.assertEqual(sum(candle["volume"] for candle in candles), Decimal("1.1"))
        self.assertEqual([holder["rank"] for holder in self.market.holders(token_id)], [1])

    def test_enters_a_fair_once_and_reads_its_ranking(self) -> None:
        headers = {"authorization": f"Bearer {KEY}", "accept": "application/json"}
        cup = {"kind": "cup", "name": "Python cup", "stake": "50"}
        made = httpx.post(f"{URL}/api/fairs", json=cup, headers=headers).json()["fair"]
        self.assertIn(made["id"], [fair["id"] for fair in self.market.fairs(limit=1)["upcoming"]])
        for _ in range(2):
            me = self.market.enter_fair(made["id"])["me"]
            assert me is not None
            self.assertEqual(me["balance"], Decimal("50"))
        ranking = self.market.fair_ranking(made["id"])
        assert ranking["mine"] is not None
        self.assertEqual((ranking["total"], ranking["mine"]["standing"]), (1, Decimal("50")))
        self.assertEqual((ranking["sum"]["stakes"], ranking["isFinal"]), (Decimal("50"), False))
        with self.assertRaises(ProblemError) as raised:
            self.market.fair_ranking(2_000_000_000)
        self.assertEqual(raised.exception.code, "FAIR_NOT_FOUND")

    def test_says_something_about_a_token_and_reads_it(self) -> None:
        token_id = self.market.launch("Python Talk", "TALK")["id"]
        post = self.market.write_post(token_id, "Written by a program")
        self.assertEqual(post["text"], "Written by a program")
        self.assertEqual([one["id"] for one in self.market.posts(token_id)], [post["id"]])
        with self.assertRaises(ProblemError) as raised:
            self.market.write_post(token_id, "Written by a program")
        self.assertEqual(raised.exception.code, "POST_REFUSED")

    def test_streams_a_room_to_its_members(self) -> None:
        headers = {"authorization": f"Bearer {KEY}", "accept": "application/json"}
        made = httpx.post(f"{URL}/api/fairs", json={"kind": "room", "name": "Python room"}, headers=headers).json()["fair"]
        self.market.enter_fair(made["id"])
        httpx.put(f"{URL}/api/fairs/{made['id']}", json={"act": "start"}, headers=headers).raise_for_status()

        async def read(key: str | None) -> Event:
            async with asyncio.timeout(60), aclosing(stream_events(URL, fairs=[made["id"]], key=key)) as stream:
                async for event in stream:
                    return event
            raise AssertionError("the stream ended")

        async def launch_until(reading: asyncio.Task[Event]) -> Event:
            launch = {"name": "Python Owl", "symbol": "OWL", "fairId": made["id"]}
            async with httpx.AsyncClient(base_url=URL, headers=headers) as http:
                for _ in range(3):
                    await asyncio.sleep(0.5)
                    (await http.post("/api/tokens/launch", json=launch)).raise_for_status()
                    if reading.done():
                        break
            return await reading

        async def listen() -> Event:
            return await launch_until(asyncio.create_task(read(KEY)))

        event = asyncio.run(listen())
        self.assertEqual((event.type, event.data["symbol"], event.data["fairId"]), ("launch", "OWL", made["id"]))
        with self.assertRaises(ProblemError) as raised:
            asyncio.run(read(None))
        self.assertEqual(raised.exception.code, "FAIR_NOT_FOUND")

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

    def test_marks_where_the_past_ends_if_asked_to(self) -> None:
        async def read() -> list[str]:
            token_id = self.launch()
            first = await self.see_first(token_id)
            kinds: list[str] = []
            async with asyncio.timeout(60), aclosing(
                stream_events(URL, tokens=[token_id], types=["trade"], after=first.cursor, mark_live=True)
            ) as stream:
                async for event in stream:
                    kinds.append(event.type)
                    if event.type == "live":
                        break
            return kinds

        kinds = asyncio.run(read())
        self.assertEqual(kinds.count("live"), 1)
        self.assertTrue(set(kinds) <= {"trade", "live"})

    def test_refuses_a_wrong_cursor(self) -> None:
        async def read() -> None:
            async for _ in stream_events(URL, after="nonsense"):
                pass

        with self.assertRaises(ProblemError) as raised:
            asyncio.run(read())
        self.assertEqual(raised.exception.status, 400)


class WebhookTest(unittest.TestCase):
    def test_verifies_what_the_server_sends(self) -> None:
        messages: list[dict[str, Any]] = []
        forgeries: list[str] = []
        secret: list[str] = []
        has_trade = threading.Event()

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                has_secret.wait(60)
                message = read_webhook(dict(self.headers), body, secret[0])
                for forged in [
                    lambda: read_webhook(dict(self.headers), body + b" ", secret[0]),
                    lambda: read_webhook(dict(self.headers), body, "whsec_" + "A" * 32),
                    lambda: read_webhook(dict(self.headers), body, secret[0], now=time.time() + 301),
                    lambda: read_webhook({**self.headers, "webhook-id": "other"}, body, secret[0]),
                    lambda: read_webhook({}, body, secret[0]),
                ]:
                    try:
                        forged()
                        forgeries.append(message["type"])
                    except SignatureError:
                        pass
                messages.append(message)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(message["data"].get("challenge", "").encode())
                # A first delivery may have the launch alone.
                if any("solAmount" in event["data"] for event in message["data"].get("events", [])):
                    has_trade.set()

            def log_message(self, *_: object) -> None:
                pass

        has_secret = threading.Event()
        server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with Papermoon(URL) as market, httpx.Client(base_url=URL) as http:
            name = f"hook-{uuid4().hex[:8]}"
            body = {"username": name, "email": f"{name}@bots.example", "wallet": name, "password": str(uuid4())}
            http.post("/api/auth/register", json=body).raise_for_status()
            webhook = {"url": f"http://127.0.0.1:{server.server_port}/", "events": ["trade", "launch"]}
            secret.append(http.post("/api/webhooks", json=webhook).raise_for_status().json()["secret"])
            has_secret.set()
            market.register(f"{name}2", f"{name}2@bots.example", "none", str(uuid4()))
            # What happens before the challenge is answered is not sent.
            token_id = market.launch("Hooked", "HOOK")["id"]
            for _ in range(60):
                market.buy(token_id, "0.1")
                if has_trade.wait(1):
                    break
        self.assertEqual(messages[0]["type"], "challenge")
        self.assertEqual(forgeries, [])
        events = [event for message in messages[1:] for event in message["data"]["events"]]
        self.assertIn(Decimal("0.1"), [event["data"].get("solAmount") for event in events])

    def test_refuses_whatever_anybody_sends_with_the_same_error(self) -> None:
        secret = "whsec_" + base64.b64encode(b"secret").decode()

        def sign(body: bytes, sent_at: str = str(int(time.time()))) -> dict[str, str]:
            digest = hmac.digest(b"secret", f"1.{sent_at}.".encode() + body, "sha256")
            signature = f"v1,{base64.b64encode(digest).decode()}"
            return {"webhook-id": "1", "webhook-timestamp": sent_at, "webhook-signature": signature}

        self.assertEqual(read_webhook(sign(b"{}"), b"{}", secret), {})
        for body in [b"no JSON", b"", b"[" * 100_000, b"\xff", b"[]", b'{"price": "x"}']:
            self.assertRaises(SignatureError, read_webhook, sign(body), body, secret)
        self.assertRaises(SignatureError, read_webhook, sign(b"{}", "9" * 5_000), b"{}", secret)
        self.assertRaises(SignatureError, read_webhook, {**sign(b"{}"), "webhook-id": "\udc80"}, b"{}", secret)


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
    def test_goes_on_after_the_last_event_when_the_connection_is_lost_or_brings_garbage(self) -> None:
        seen: list[str | None] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                seen.append(self.headers.get("last-event-id"))
                self.send_response(503 if len(seen) == 2 else 200)
                self.end_headers()
                if len(seen) != 2:
                    self.wfile.write(f': hello\nid: c{len(seen)}\nevent: trade\ndata: {{"fee":"0.1"}}\n\n'.encode())
                if len(seen) == 1:
                    self.wfile.write(b'id: lost\ndata: {"fee"\n\n')
                if len(seen) == 3:
                    # A heartbeat, which moves the place to go on from.
                    self.wfile.write(b": heartbeat\nid: c3-later\n\n")

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
                    if len(events) == 3:
                        break
            return events

        fee = {"fee": Decimal("0.1")}
        self.assertEqual(asyncio.run(read()), [Event("trade", fee, f"c{count}") for count in (1, 3, 4)])
        self.assertEqual(seen, [None, "c1", "c1", "c3-later"])


class AmountTest(unittest.TestCase):
    def test_is_plain_text(self) -> None:
        self.assertEqual([to_text(Decimal("1E-7")), to_text("1.50"), to_text(3)], ["0.0000001", "1.50", "3"])


if __name__ == "__main__":
    unittest.main()
