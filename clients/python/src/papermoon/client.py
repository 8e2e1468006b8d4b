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
    """A Papermoon server, over REST. Answers are dictionaries whose figures are `Decimal`.

    With `key` (an API key from Settings) calls act for its owner; without one `register` begins a session.
    Orders take `key`, their idempotency key: repeated with it, an order is placed once, also after a crash. Without a
    key each gets a new one. While the server is out of reach, busy, or cannot say what happened (``OUTCOME_UNKNOWN``),
    an order is repeated with its key for `give_up_after` seconds. With `dry_run` an order passes every check, and answers
    what it would answer, without being placed; its key stays free.

    Raises `ProblemError` for a refusal and `NoAnswerError` if no answer came.
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
        """Makes a player, who is signed in from here on. `invite`: the code of a fair's link."""
        body = {"username": username, "email": email, "wallet": wallet, "password": password, "invite": invite}
        self._transport.post("/api/auth/register", body)

    def tokens(
        self, *, search: str | None = None, sort: str = "newest", rugged: str = "show", limit: int = 50
    ) -> list[Token]:
        """`sort`: newest, oldest, mcap-high, mcap-low or last-trade. `rugged="hide"` leaves rugged tokens out."""
        params = {"search": search, "sort": sort, "rugged": rugged, "limit": limit}
        return cast(list[Token], self._transport.get("/api/tokens", params))

    def token(self, token_id: int) -> Token:
        return cast(Token, self._transport.get(f"/api/tokens/{token_id}"))

    def trades(self, token_id: int) -> list[Trade]:
        """The newest 50, newest first."""
        return cast(list[Trade], self._transport.get(f"/api/tokens/{token_id}/trades"))

    def all_trades(self, *, since: datetime | None = None, until: datetime | None = None) -> Iterator[MarketTrade]:
        """The trades of the whole market, newest first, in [since, until)."""
        return self._pages("/api/trades", ROWS_A_PAGE, since, until)

    def token_trades(
        self, token_id: int, *, since: datetime | None = None, until: datetime | None = None
    ) -> Iterator[Trade]:
        """All trades of a token, newest first, in [since, until)."""
        return self._pages(f"/api/tokens/{token_id}/trades", ROWS_A_PAGE, since, until)

    def candles(
        self, token_id: int, interval: str = "1h", *, since: datetime | None = None, until: datetime | None = None
    ) -> Iterator[Candle]:
        """Newest first. `interval`: 1s, 5s, 15s, 1m, 1h or 1d."""
        return self._pages(f"/api/tokens/{token_id}/candles", ROWS_A_PAGE, since, until, {"interval": interval})

    def holders(self, token_id: int) -> Iterator[Holder]:
        """By rank."""
        return self._pages(f"/api/tokens/{token_id}/holders", ROWS_A_PAGE)

    def parameters(self) -> Parameters:
        """Fees, decimals and limits of the market, and what this caller may do and still spend today."""
        return cast(Parameters, self._transport.get("/api/parameters"))

    def quote_buy(self, token_id: int, sol: Amount) -> Quote:
        """What a buy would do now. If its trade has the next `seq`, nobody traded in between."""
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
        """The player's SOL and what they hold of a token."""
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
        """Buys for `sol`, the fee included. Refused if it would bring fewer tokens than `min_tokens`."""
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
        """Sells `tokens`. Refused if it would bring less SOL than `min_sol`, after the fee."""
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
        """`seal`, such as ``{"term": "week"}``, rules a rug pull out. `fair_id` launches in that fair, with its SOL."""
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
        """Drains the pool of an own token, and closes it for good."""
        return cast(Rugged, self._order(f"/api/tokens/{token_id}/rug", {}, key, dry_run))

    def order(self, key: str) -> OrderOutcome | None:
        """What became of an own order, by its key; None if it was not placed."""
        try:
            return cast(OrderOutcome, self._transport.get(f"/api/orders/{quote(key, safe='')}"))
        except ProblemError as error:
            if error.status == 404 and error.code == "NOT_FOUND":
                return None
            raise

    def orders(
        self, *, token_id: int | None = None, since: datetime | None = None, until: datetime | None = None
    ) -> Iterator[Order]:
        """Own orders with their fills, newest first, placed in [since, until); of all tokens or of one."""
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
        """Waits for a price: a buy takes `sol` and `price`, a stop `tokens` and `stop_price`, a bracket both prices.

        `price` is a limit, fee included: no token of the order trades at a worse price. `least_price` is that limit of
        a stop's sale, 10 % below `stop_price` by default; ``"any"`` is none. It waits a month, or for `lasts`.
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
        """The newest own orders that wait, or that ended; the next page begins at the last order's id."""
        params = {"tokenId": token_id, "state": "ended" if ended else "waiting", "limit": limit, "cursor": cursor}
        return cast("list[WaitingOrder]", self._transport.get("/api/waiting-orders", params))

    def cancel_waiting(self, *, token_id: int | None = None, ids: list[int] | None = None) -> list[WaitingOrder]:
        """Ends waiting orders: these, or all of them, of one token if it is named."""
        body = {"tokenId": token_id, "ids": ids}
        return cast("list[WaitingOrder]", self._transport.ask("/api/waiting-orders/cancel", body)["orders"])

    def fairs(self, *, limit: int = 20, cursor: str | None = None) -> FairList:
        """Fairs to come, those that run, and a page of those that have ended, from `cursor` (`nextCursor`) on."""
        return cast(FairList, self._transport.get("/api/fairs", {"limit": limit, "cursor": cursor}))

    def enter_fair(self, fair_id: int, *, invite: str | None = None) -> Fair:
        """Enters a fair and gets its stake, once: orders for its tokens spend that. A room takes the code of its link."""
        return cast(Fair, self._transport.ask(f"/api/fairs/{fair_id}/enter", {"invite": invite}))

    def fair_tokens(self, fair_id: int) -> list[FairToken]:
        """The tokens of a fair, the highest market cap first."""
        return cast("list[FairToken]", self._transport.get(f"/api/fairs/{fair_id}/tokens"))

    def fair_bag(self, fair_id: int) -> FairBag:
        """Own SOL and holdings in a fair that one has entered."""
        return cast(FairBag, self._transport.get(f"/api/fairs/{fair_id}/bag"))

    def fair_ranking(self, fair_id: int, *, limit: int = 100, cursor: str | None = None) -> FairRanking:
        """Who stands where, the best first; after the end the results. The next page begins at `nextCursor`."""
        params = {"limit": limit, "cursor": cursor}
        return cast(FairRanking, self._transport.get(f"/api/fairs/{fair_id}/ranking", params))

    def posts(
        self, token_id: int | None = None, *, fair_id: int | None = None, limit: int = 30, cursor: int | None = None
    ) -> list[Post]:
        """What players say about a token, or in the lobby of a fair, newest first. Strangers' words.

        The next page begins at the last post's id.
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
        """Says something about a token, in the lobby of a fair (`token_id` is None then), or answers a post.

        Takes a key with the scope `talk`. `mentions`: ids of players. After a `NoAnswerError` the post may be there.
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
