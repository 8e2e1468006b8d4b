import { setTimeout as sleep } from 'node:timers/promises'
import { type BotOrder, CHARACTERS, Fleet, type MarketEvent, type TradeTexts, toTradeEvent } from '../index.ts'
import type { EventCheck } from './event-check.ts'
import type { Player } from './player.ts'

/** Max number of attempts to find a player who wants to trade at the scheduled time. */
const LOOKS_MAX = 200
/** Time between two attempts to connect, in ms. */
const RECONNECT_MS = 500

interface LoadMarketOptions {
  readonly url: string
  readonly seed: string
  readonly players: readonly Player[]
  readonly check: EventCheck
  readonly note: (line: string) => void
}

/** The fields of a `/ws` event that this program uses. */
type SentEvent = { readonly tokenId: number; readonly seq: number; readonly cursor: string } & (
  | ({ readonly type: 'trade'; readonly trade: { readonly createdAt: string } } & TradeTexts)
  | { readonly type: 'rug_pull'; readonly userId: number; readonly amount: string; readonly createdAt: string }
  | {
      readonly type: 'token_launched'
      readonly name: string
      readonly symbol: string
      readonly creator: { readonly id: number }
      readonly createdAt: string
    }
)

/** The fields of a token in `GET /api/tokens` that this program uses. */
interface ListedToken {
  readonly id: number
  readonly seq: number
  readonly name: string
  readonly symbol: string
  readonly createdAt: string
  readonly creator: { readonly id: number }
  readonly pool: { readonly solReserve: string; readonly tokenReserve: string }
  readonly totalTrades: number
  readonly volume24h: string
  readonly ruggedAt: string | null
}

/** The market as the players of a load test see it over the event socket, and the players' decisions. */
export class LoadMarket {
  readonly #options: LoadMarketOptions
  readonly #fleet: Fleet
  readonly #closing = new AbortController()
  /** Each token's sequence number at the start. */
  readonly #seqs = new Map<number, number>()
  #cursor = ''
  /** Events that arrived before the tokens were read, or null after the tokens were read. */
  #held: SentEvent[] | null = []

  constructor(options: LoadMarketOptions) {
    this.#options = options
    // Give the players the tempers of the house's bots, in turn.
    const members = options.players.map(({ userId, balance }, index) => {
      const character = CHARACTERS[index % CHARACTERS.length] as (typeof CHARACTERS)[number]
      return { userId, character: { ...character, name: `player ${index + 1}` }, balance }
    })
    this.#fleet = new Fleet({ seed: options.seed, members, startMs: Date.now(), isBounded: false })
  }

  /** Resolves when the event socket is open and the newest tokens are known. */
  async start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#connect(resolve)
    await promise
    const response = await fetch(new URL('/api/tokens?limit=200', this.#options.url))
    for (const token of (await response.json()) as ListedToken[]) this.#add(token)
    const held = this.#held ?? []
    this.#held = null
    for (const event of held) this.#observe(event)
  }

  countOpenTokens(): number {
    return [...this.#fleet.market.tokens].filter(({ isRugged }) => !isRugged).length
  }

  /** Returns the next order of any player who has no unfinished order, or null if there is none. */
  decide(): BotOrder | null {
    for (let look = 0; look < LOOKS_MAX; look++) {
      const order = this.#fleet.act(Date.now())
      if (order !== null) return order
    }
    return null
  }

  refused(order: BotOrder): void {
    this.#fleet.refused(order)
  }

  close(): void {
    this.#closing.abort()
  }

  /** Reads `/ws` until `close`. A new connection resumes after the last event. */
  #connect(onOpen: () => void): void {
    const { url, note } = this.#options
    const address = new URL('/ws', url.replace(/^http/, 'ws'))
    if (this.#cursor !== '') address.searchParams.set('after', this.#cursor)
    const socket = new WebSocket(address)
    const { signal } = this.#closing
    signal.addEventListener('abort', () => socket.close(), { once: true })
    socket.addEventListener('open', onOpen)
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(data) as SentEvent))
    socket.addEventListener('close', async () => {
      if (signal.aborted) return
      note('the event socket was closed; connecting again')
      await sleep(RECONNECT_MS)
      if (!signal.aborted) this.#connect(onOpen)
    })
  }

  #receive(event: SentEvent): void {
    this.#cursor = event.cursor
    if (event.type === 'trade') this.#options.check.received(event.tokenId, event.seq)
    if (this.#held !== null) this.#held.push(event)
    else this.#observe(event)
  }

  #observe(event: SentEvent): void {
    if (event.seq > (this.#seqs.get(event.tokenId) ?? -1)) this.#fleet.observe(toEvent(event))
  }

  #add(token: ListedToken): void {
    const createdAtMs = Date.parse(token.createdAt)
    this.#seqs.set(token.id, token.seq)
    this.#fleet.addToken({
      id: token.id,
      name: token.name,
      symbol: token.symbol,
      createdAtMs,
      creatorId: token.creator.id,
      creatorRugs: 0,
      creatorLaunches: 1,
      solReserve: Number(token.pool.solReserve),
      tokenReserve: Number(token.pool.tokenReserve),
      lastTradeAtMs: createdAtMs,
      tradeCount: token.totalTrades,
      volume: Number(token.volume24h),
      // Estimate the number of holders, because lists of tokens do not contain it.
      holderCount: Math.ceil(token.totalTrades / 2),
      isRugged: token.ruggedAt !== null,
    })
  }
}

function toEvent(event: SentEvent): MarketEvent {
  const { tokenId } = event
  if (event.type === 'trade') return toTradeEvent(event, Date.parse(event.trade.createdAt))
  const atMs = Date.parse(event.createdAt)
  if (event.type === 'rug_pull') {
    return { type: 'rug', atMs, tokenId, userId: event.userId, sol: Number(event.amount) }
  }
  return { type: 'launch', atMs, tokenId, creatorId: event.creator.id, name: event.name, symbol: event.symbol }
}
