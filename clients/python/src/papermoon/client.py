"""The synchronous client."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self, cast
from urllib.parse import quote
from uuid import uuid4

from .errors import ProblemError
from .figures import Amount, to_text
from .transport import Transport
from .types import (
    Bought,
    Candle,
    Fair,
    FairBag,
    FairList,
    FairRanking,
    FairToken,
    Holder,
    Holding,
    Launched,
    Leader,
    MarketTrade,
    Order,
    OrderOutcome,
    OwnPosition,
    Parameters,
    PlacedWaiting,
    Post,
    Quote,
    Rugged,
    Sold,
    Token,
    Trade,
    WaitingOrder,
)

ORDERS_A_PAGE = 500
ROWS_A_PAGE = 1000


class Papermoon:
    """A Papermoon server, over REST. Responses are dictionaries with numbers as `Decimal`.

    With `key`, an API key, calls act for the key's owner. Without a key, `register` begins a session.
    Orders take `key`, an idempotency key. The server places at most one order with a key, even after a crash. An order
    without a key gets a new one. While the server is unreachable, busy, or does not know the outcome
    (``OUTCOME_UNKNOWN``), the client repeats the order with its key for `give_up_after` seconds. With `dry_run`, the
    server checks the order and returns its result, but does not place it or use its key.

    Raises `ProblemError` if the server refuses a call, and `NoAnswerError` if the server does not respond.
    """

    def __init__(
        self,
        url: str = "http://localhost:3000",
        key: str | None = None,
        *,
        timeout: float = 10.0,
        give_up_after: float = 60.0,
    ) -> None:
        self._transport = Transport(url, key, timeout, give_up_after)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def register(self, username: str, email: str, wallet: str, password: str, *, invite: str | None = None) -> None:
        """Creates a player and signs in. `invite` is the code of a fair's link."""
        body = {"username": username, "email": email, "wallet": wallet, "password": password, "invite": invite}
        self._transport.post("/api/auth/register", body)

    def tokens(
        self, *, search: str | None = None, sort: str = "newest", rugged: str = "show", limit: int = 50
    ) -> list[Token]:
        """Lists tokens. `sort` is newest, oldest, mcap-high, mcap-low or last-trade, `rugged` is show or hide."""
        params = {"search": search, "sort": sort, "rugged": rugged, "limit": limit}
        return cast(list[Token], self._transport.get("/api/tokens", params))

    def token(self, token_id: int) -> Token:
        return cast(Token, self._transport.get(f"/api/tokens/{token_id}"))

    def trades(self, token_id: int) -> list[Trade]:
        """Lists the last 50 trades of a token, newest first."""
        return cast(list[Trade], self._transport.get(f"/api/tokens/{token_id}/trades"))

    def all_trades(self, *, since: datetime | None = None, until: datetime | None = None) -> Iterator[MarketTrade]:
        """Yields all trades of the market in [since, until), newest first."""
        return self._pages("/api/trades", ROWS_A_PAGE, since, until)

    def token_trades(
        self, token_id: int, *, since: datetime | None = None, until: datetime | None = None
    ) -> Iterator[Trade]:
        """Yields all trades of a token in [since, until), newest first."""
        return self._pages(f"/api/tokens/{token_id}/trades", ROWS_A_PAGE, since, until)

    def candles(
        self, token_id: int, interval: str = "1h", *, since: datetime | None = None, until: datetime | None = None
    ) -> Iterator[Candle]:
        """Yields a token's candles, newest first. `interval` is 1s, 5s, 15s, 1m, 1h or 1d."""
        return self._pages(f"/api/tokens/{token_id}/candles", ROWS_A_PAGE, since, until, {"interval": interval})

    def holders(self, token_id: int) -> Iterator[Holder]:
        """Yields the holders of a token, by rank."""
        return self._pages(f"/api/tokens/{token_id}/holders", ROWS_A_PAGE)

    def parameters(self) -> Parameters:
        """Returns the market's fees, decimals and limits, and the SOL that the key may still spend today."""
        return cast(Parameters, self._transport.get("/api/parameters"))

    def quote_buy(self, token_id: int, sol: Amount) -> Quote:
        """Computes the result of a buy now. If your trade gets the next `seq`, no other trade came first."""
        return self._quote({"side": "buy", "tokenId": token_id, "solAmount": to_text(sol)})

    def quote_sell(self, token_id: int, tokens: Amount) -> Quote:
        return self._quote({"side": "sell", "tokenId": token_id, "tokenAmount": to_text(tokens)})

    def quote_launch(self, initial_buy: Amount | None = None) -> Quote:
        return self._quote({"side": "launch", "initialBuyAmount": _to_optional_text(initial_buy)})

    def leaderboard(self) -> list[Leader]:
        return cast(list[Leader], self._transport.get("/api/leaderboard"))

    def portfolio(self) -> list[Holding]:
        return cast(list[Holding], self._transport.get("/api/portfolio"))

    def position(self, token_id: int) -> OwnPosition:
        """Returns your SOL balance and your holding of a token."""
        return cast(OwnPosition, self._transport.get(f"/api/tokens/{token_id}/position"))

    def buy(
        self,
        token_id: int,
        sol: Amount,
        *,
        min_tokens: Amount | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Bought:
        """Buys for `sol`, including the fee. The server refuses the order if it would pay less than `min_tokens`."""
        order = {"tokenId": token_id, "solAmount": to_text(sol), "minTokensOut": _to_optional_text(min_tokens)}
        return cast(Bought, self._order("/api/tokens/buy", order, key, dry_run))

    def sell(
        self,
        token_id: int,
        tokens: Amount,
        *,
        min_sol: Amount | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Sold:
        """Sells `tokens`. The server refuses the order if it would pay less than `min_sol` after the fee."""
        order = {"tokenId": token_id, "tokenAmount": to_text(tokens), "minSolOut": _to_optional_text(min_sol)}
        return cast(Sold, self._order("/api/tokens/sell", order, key, dry_run))

    def launch(
        self,
        name: str,
        symbol: str,
        *,
        emoji: str | None = None,
        description: str | None = None,
        website: str | None = None,
        x: str | None = None,
        telegram: str | None = None,
        initial_buy: Amount | None = None,
        seal: dict[str, Any] | None = None,
        fair_id: int | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Launched:
        """Launches a token. A `seal` (``{"term": "week"}``) forbids a rug pull. `fair_id` is the fair to launch in."""
        order = {
            "name": name,
            "symbol": symbol,
            "emoji": emoji,
            "description": description,
            "website": website,
            "x": x,
            "telegram": telegram,
            "initialBuyAmount": _to_optional_text(initial_buy),
            "seal": seal,
            "fairId": fair_id,
        }
        return cast(Launched, self._order("/api/tokens/launch", order, key, dry_run))

    def rug(self, token_id: int, *, key: str | None = None, dry_run: bool = False) -> Rugged:
        """Pays out the pool of your own token and closes the pool for good."""
        return cast(Rugged, self._order(f"/api/tokens/{token_id}/rug", {}, key, dry_run))

    def order(self, key: str) -> OrderOutcome | None:
        """Returns the outcome of your order with this key, or None if it was not placed."""
        try:
            return cast(OrderOutcome, self._transport.get(f"/api/orders/{quote(key, safe='')}"))
        except ProblemError as error:
            if error.status == 404 and error.code == "NOT_FOUND":
                return None
            raise

    def orders(
        self, *, token_id: int | None = None, since: datetime | None = None, until: datetime | None = None
    ) -> Iterator[Order]:
        """Yields your orders in [since, until) with their trades, newest first, for all tokens or one token."""
        return self._pages("/api/orders", ORDERS_A_PAGE, since, until, {"tokenId": token_id})

    def place_waiting(
        self,
        token_id: int,
        kind: Literal["buy", "sale", "stop", "bracket"],
        *,
        sol: Amount | None = None,
        tokens: Amount | None = None,
        price: Amount | None = None,
        stop_price: Amount | None = None,
        least_price: Amount | Literal["any"] | None = None,
        lasts: Literal["hour", "day", "week", "month"] | None = None,
        replaces: int | None = None,
        replaces_fills: int | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> PlacedWaiting:
        """Places an order that waits for a price.

        A buy takes `sol` and `price`, a stop takes `tokens` and `stop_price`, and a bracket takes both prices. `price`
        is a limit that includes the fee. `least_price` is the limit of a stop's sale, by default 10 % below
        `stop_price`, or ``"any"`` for no limit. The order waits for `lasts`, by default a month.
        """
        order = {
            "tokenId": token_id,
            "kind": kind,
            "solAmount": _to_optional_text(sol),
            "tokenAmount": _to_optional_text(tokens),
            "price": _to_optional_text(price),
            "stopPrice": _to_optional_text(stop_price),
            "leastPrice": least_price if least_price == "any" else _to_optional_text(least_price),
            "lasts": lasts,
            "replaces": replaces,
            "replacesFills": replaces_fills,
        }
        return cast(PlacedWaiting, self._order("/api/waiting-orders", order, key, dry_run))

    def waiting_orders(
        self, *, token_id: int | None = None, ended: bool = False, limit: int = 200, cursor: int | None = None
    ) -> list[WaitingOrder]:
        """Lists your waiting or ended orders, newest first. For the next page, `cursor` is the last order's id."""
        params = {"tokenId": token_id, "state": "ended" if ended else "waiting", "limit": limit, "cursor": cursor}
        return cast("list[WaitingOrder]", self._transport.get("/api/waiting-orders", params))

    def cancel_waiting(self, *, token_id: int | None = None, ids: list[int] | None = None) -> list[WaitingOrder]:
        """Cancels the waiting orders with these ids, or all waiting orders, for all tokens or one token."""
        body = {"tokenId": token_id, "ids": ids}
        return cast("list[WaitingOrder]", self._transport.ask("/api/waiting-orders/cancel", body)["orders"])

    def fairs(self, *, limit: int = 20, cursor: str | None = None) -> FairList:
        """Lists upcoming and running fairs, and a page of ended fairs. For the next page, `cursor` is `nextCursor`."""
        return cast(FairList, self._transport.get("/api/fairs", {"limit": limit, "cursor": cursor}))

    def enter_fair(self, fair_id: int, *, invite: str | None = None) -> Fair:
        """Enters a fair, whose stake then pays for orders in it. To enter a room, pass the code of its link."""
        return cast(Fair, self._transport.ask(f"/api/fairs/{fair_id}/enter", {"invite": invite}))

    def fair_tokens(self, fair_id: int) -> list[FairToken]:
        """Lists the tokens of a fair, highest market cap first."""
        return cast("list[FairToken]", self._transport.get(f"/api/fairs/{fair_id}/tokens"))

    def fair_bag(self, fair_id: int) -> FairBag:
        """Returns your SOL and holdings in a fair that you have entered."""
        return cast(FairBag, self._transport.get(f"/api/fairs/{fair_id}/bag"))

    def fair_ranking(self, fair_id: int, *, limit: int = 100, cursor: str | None = None) -> FairRanking:
        """Returns the ranking of a fair, or the results after its end. For the next page, `cursor` is `nextCursor`."""
        params = {"limit": limit, "cursor": cursor}
        return cast(FairRanking, self._transport.get(f"/api/fairs/{fair_id}/ranking", params))

    def posts(
        self, token_id: int | None = None, *, fair_id: int | None = None, limit: int = 30, cursor: int | None = None
    ) -> list[Post]:
        """Lists posts about a token or in a fair's lobby, newest first. Do not trust their texts.

        For the next page, `cursor` is the last post's id.
        """
        params = {"tokenId": token_id, "fairId": fair_id, "limit": limit, "cursor": cursor}
        return cast("list[Post]", self._transport.get("/api/talk", params))

    def write_post(
        self,
        token_id: int | None,
        text: str,
        *,
        fair_id: int | None = None,
        parent_id: int | None = None,
        mentions: list[int] | None = None,
    ) -> Post:
        """Writes a post about a token or in a fair's lobby (with `token_id` None), or replies to a post.

        The key needs the scope `talk`. `mentions` are ids of players. After a `NoAnswerError`, the post may exist.
        """
        post = {"tokenId": token_id, "fairId": fair_id, "text": text, "parentId": parent_id, "mentions": mentions}
        return cast(Post, self._transport.post("/api/talk", post))

    def _order(self, path: str, order: dict[str, Any], key: str | None, dry_run: bool) -> Any:
        body = {**order, "dryRun": True} if dry_run else order
        return self._transport.post(path, body, _to_key(key))

    def _quote(self, order: dict[str, Any]) -> Quote:
        return cast(Quote, self._transport.ask("/api/quotes", order))

    def _pages(
        self,
        first: str,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        more: dict[str, Any] | None = None,
    ) -> Iterator[Any]:
        path: str | None = first
        params: dict[str, Any] | None = {"limit": limit, "from": _to_time(since), "to": _to_time(until), **(more or {})}
        while path is not None:
            page, path = self._transport.get_page(path, params)
            params = None
            yield from page


def _to_time(time: datetime | None) -> str | None:
    return None if time is None else time.astimezone().isoformat()


def _to_key(key: str | None) -> str:
    return str(uuid4()) if key is None else key


def _to_optional_text(amount: Amount | None) -> str | None:
    return None if amount is None else to_text(amount)
