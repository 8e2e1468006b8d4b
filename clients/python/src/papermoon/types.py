"""Made by generate_types.py from the server's OpenAPI document; do not edit.

Answers as dictionaries. Figures are text on the wire and `Decimal` here; times are ISO 8601 texts.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict

#: Properties whose text is a figure.
FIGURES = frozenset(
    """
above amount bagTokens balance below cashOut cashOutValue change close cost creatorHolding currentPrice dust fee fees
high launchFee leastPrice left leftToday lost low marketCap needed newMarketCap newPrice open poolShare price
price24hAgo priceChange24h priceImpact profitLoss profitLoss24h profitLossPercent profitLossPercent24h realSol
ruggedAmount score share solAmount solOut solPriceUsd solReserve spendingLimit spentToday spotPrice stake stakes
standing standings startingBalance stopPrice supply tokenAmount tokenReserve tokensOut totalPnL totalValue traded
tradingFee virtualSol volume volume24h
""".split()
)


class TokenCreator(TypedDict):
    id: int
    username: str
    isBot: bool


class TokenPool(TypedDict):
    solReserve: Decimal
    tokenReserve: Decimal
    realSol: Decimal


class TokenSeal(TypedDict):
    liquidityUntil: str | None
    bagUntil: str | None
    bagTokens: Decimal


class Token(TypedDict):
    id: int
    name: str
    symbol: str
    emoji: str
    description: str | None
    website: str | None
    x: str | None
    telegram: str | None
    supply: Decimal
    currentPrice: Decimal
    priceChange24h: Decimal
    price24hAgo: Decimal
    volume24h: Decimal
    marketCap: Decimal
    createdAt: str
    creator: TokenCreator
    creatorHolding: Decimal
    pool: TokenPool
    seq: int
    lastEventAt: str
    totalTrades: int
    ruggedAt: str | None
    seal: TokenSeal | None
    fairId: NotRequired[int]


class Trade(TypedDict):
    id: int
    tokenId: int
    seq: int
    side: Literal['buy', 'sell']
    solAmount: Decimal
    fee: Decimal
    tokenAmount: Decimal
    price: Decimal
    spotPrice: Decimal
    createdAt: str
    userId: int
    username: str
    isBot: bool


class MarketTrade(TypedDict):
    id: int
    tokenId: int
    seq: int
    side: Literal['buy', 'sell']
    solAmount: Decimal
    fee: Decimal
    tokenAmount: Decimal
    price: Decimal
    spotPrice: Decimal
    createdAt: str
    userId: int
    username: str
    isBot: bool
    tokenName: str
    tokenSymbol: str
    emoji: str


class Candle(TypedDict):
    time: str
    open: Decimal
    high: Decimal
    low: Decimal
    close: Decimal
    volume: Decimal
    seq: int


class Holder(TypedDict):
    userId: int
    username: str
    isBot: bool
    rank: int
    amount: Decimal


class Leader(TypedDict):
    rank: int
    userId: int
    username: str
    isBot: bool
    profilePictureUrl: str | None
    wallet: str
    totalPnL: Decimal
    tradesCount: int
    accountCreatedAt: str
    counterparties: int
    sourcePercent: int | None


class Holding(TypedDict):
    tokenId: int
    tokenName: str
    tokenSymbol: str
    emoji: str
    amount: Decimal
    currentPrice: Decimal
    pool: TokenPool
    totalValue: Decimal
    cashOutValue: Decimal
    cost: Decimal
    profitLoss: Decimal
    profitLossPercent: Decimal
    profitLoss24h: Decimal
    profitLossPercent24h: Decimal
    ruggedAt: str | None
    sealedUntil: str | None
    isListed: bool


class OwnPositionHiddenToken(TypedDict):
    name: str
    symbol: str
    emoji: str
    pool: TokenPool
    ruggedAt: str | None


class OwnPosition(TypedDict):
    tokenId: int
    balance: Decimal
    amount: Decimal
    cost: Decimal
    hiddenToken: NotRequired[OwnPositionHiddenToken]


class BoughtPosition(TypedDict):
    tokenId: int
    balance: Decimal
    amount: Decimal
    cost: Decimal


class Bought(TypedDict):
    tokensOut: Decimal
    newPrice: Decimal
    trade: Trade
    position: BoughtPosition
    dryRun: NotRequired[Literal[True]]


class Sold(TypedDict):
    solOut: Decimal
    newPrice: Decimal
    trade: Trade
    position: BoughtPosition
    dryRun: NotRequired[Literal[True]]


class Launched(TypedDict):
    id: int
    token: Token
    dryRun: NotRequired[Literal[True]]


class Rugged(TypedDict):
    ruggedAmount: Decimal
    balance: Decimal
    dryRun: NotRequired[Literal[True]]


class Quote(TypedDict):
    side: Literal['buy', 'sell', 'launch']
    tokenId: int | None
    seq: int
    solAmount: Decimal
    tokenAmount: Decimal
    fee: Decimal
    launchFee: Decimal | None
    price: Decimal | None
    currentPrice: Decimal
    newPrice: Decimal
    priceImpact: Decimal
    newMarketCap: Decimal


class ParametersDecimals(TypedDict):
    sol: int
    token: int
    price: int


class ParametersRateLimitsItemPerAddress(TypedDict):
    calls: int
    seconds: int


class ParametersRateLimitsItem(TypedDict):
    name: str
    perAddress: ParametersRateLimitsItemPerAddress | None
    perAccount: ParametersRateLimitsItemPerAddress | None


class ParametersCallerKey(TypedDict):
    id: int
    name: str
    scopes: list[Literal['market', 'read', 'trade', 'reset', 'talk']]
    expiresAt: str | None
    spendingLimit: Decimal | None
    spentToday: Decimal | None
    leftToday: Decimal | None
    resetsAt: str | None


class ParametersCaller(TypedDict):
    kind: Literal['anonymous', 'session', 'key']
    userId: int | None
    key: ParametersCallerKey | None


class Parameters(TypedDict):
    tradingFee: Decimal
    launchFee: Decimal
    supply: Decimal
    virtualSol: Decimal
    startingBalance: Decimal
    decimals: ParametersDecimals
    solPriceUsd: Decimal
    ordersUnderWay: int
    rateLimits: list[ParametersRateLimitsItem]
    bounds: dict[str, Any]
    caller: ParametersCaller


class Order(TypedDict):
    key: str | None
    kind: Literal['buy', 'sell', 'launch', 'rug', 'seal']
    tokenId: int
    createdAt: str
    trade: Trade | None
    ruggedAmount: Decimal | None


class WaitingOrder(TypedDict):
    id: int
    tokenId: int
    kind: Literal['buy', 'sale', 'stop', 'bracket']
    amount: Decimal | None
    left: Decimal
    price: Decimal | None
    stopPrice: Decimal | None
    leastPrice: Decimal | None
    below: Decimal | None
    above: Decimal | None
    isTriggered: bool
    fills: int
    state: Literal['waiting', 'filled', 'cancelled', 'expired']
    cause: str | None
    key: str
    replaces: int | None
    placedAt: str
    expiresAt: str
    endedAt: str | None


class OrderOutcomeAnswer1(TypedDict):
    tokensOut: Decimal
    newPrice: Decimal
    trade: Trade
    position: BoughtPosition


class OrderOutcomeAnswer2(TypedDict):
    solOut: Decimal
    newPrice: Decimal
    trade: Trade
    position: BoughtPosition


class OrderOutcomeAnswer3(TypedDict):
    id: int


class OrderOutcomeAnswer4(TypedDict):
    ruggedAmount: Decimal
    balance: Decimal


class OrderOutcomeAnswer5(TypedDict):
    tokenId: int
    seal: TokenSeal


class OrderOutcome(TypedDict):
    status: Literal['filled', 'pending', 'waiting', 'cancelled', 'expired']
    key: str
    kind: Literal['buy', 'sell', 'launch', 'rug', 'seal', 'waiting']
    tokenId: int | None
    createdAt: str | None
    trade: Trade | None
    ruggedAmount: Decimal | None
    answer: OrderOutcomeAnswer1 | OrderOutcomeAnswer2 | OrderOutcomeAnswer3 | OrderOutcomeAnswer4 | OrderOutcomeAnswer5 | None
    waitingOrder: NotRequired[WaitingOrder]


class PlacedWaiting(TypedDict):
    order: WaitingOrder
    trades: list[Trade]
    dryRun: NotRequired[Literal[True]]


class FairHost(TypedDict):
    id: int
    username: str


class FairMe(TypedDict):
    balance: Decimal | None
    hasLeft: bool
    isHost: bool
    place: NotRequired[int]


class Fair(TypedDict):
    id: int
    kind: Literal['arena', 'season', 'room', 'cup', 'sandbox']
    name: str
    isQuick: bool
    host: FairHost | None
    state: Literal['lobby', 'open', 'settled', 'void']
    stake: Decimal
    lobbyAt: str
    startsAt: str
    endsAt: str
    bellFrom: str
    bellAt: str | None
    commit: str
    secret: str | None
    launches: Literal['all', 'host', 'nobody']
    rugs: bool
    lateEntry: bool
    everyoneRanks: bool
    depth: bool
    entrants: int
    entrantsMax: int
    bots: int
    note: str | None
    winner: NotRequired[str]
    me: FairMe | None


class FairList(TypedDict):
    upcoming: list[Fair]
    running: list[Fair]
    ended: list[Fair]
    nextCursor: str | None
    houseBots: bool


class FairRankingEntrantsItem(TypedDict):
    place: int
    userId: int
    username: str
    isBot: bool
    standing: Decimal
    score: Decimal
    isRanked: bool
    hasLeft: bool
    trades: int
    medal: int | None
    isPaper: bool


class FairRankingQualifying(TypedDict):
    traded: Decimal
    needed: Decimal
    until: str


class FairRankingSum(TypedDict):
    stakes: Decimal
    fees: Decimal
    standings: Decimal
    dust: Decimal


class FairRanking(TypedDict):
    fairId: int
    asOf: str
    isFinal: bool
    entrants: list[FairRankingEntrantsItem]
    mine: FairRankingEntrantsItem | None
    qualifying: FairRankingQualifying | None
    total: int
    sum: FairRankingSum
    nextCursor: str | None


class FairToken(TypedDict):
    id: int
    name: str
    symbol: str
    emoji: str
    creator: TokenCreator
    currentPrice: Decimal
    marketCap: Decimal
    change: Decimal
    realSol: Decimal
    trades: int
    isRugged: bool
    createdAt: str


class FairBagHoldingsItemToken(TypedDict):
    id: int
    name: str
    symbol: str
    emoji: str


class FairBagHoldingsItem(TypedDict):
    token: FairBagHoldingsItemToken
    amount: Decimal
    cost: Decimal
    poolShare: Decimal
    cashOut: Decimal


class FairBag(TypedDict):
    balance: Decimal
    standing: Decimal
    cashOut: Decimal
    holdings: list[FairBagHoldingsItem]


class PostWriterMedals(TypedDict):
    gold: int
    silver: int
    bronze: int


class PostWriter(TypedDict):
    id: int
    username: str
    isBot: bool
    isCreator: bool
    share: Decimal | None
    medals: PostWriterMedals


class Post(TypedDict):
    id: int
    tokenId: int | None
    fairId: int | None
    parentId: int | None
    writer: PostWriter
    text: str
    mentions: list[FairHost]
    price: Decimal | None
    seq: int | None
    state: Literal['shown', 'held', 'hidden', 'deleted']
    replies: int
    reactions: dict[str, Any]
    reaction: Literal['moon', 'fire', 'laugh', 'heart', 'eyes', 'skull'] | None
    createdAt: str
    editedAt: str | None
    lost: NotRequired[Decimal]
