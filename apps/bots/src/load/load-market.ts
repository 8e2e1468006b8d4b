import { type BotOrder, CHARACTERS, type Character, Fleet } from '@papermoon/bots'
import { createPapermoonClient, type PapermoonClient } from '@papermoon/client'
import type { Log } from '../lib/log.ts'
import { CreatorRecords } from '../market/creator-records.ts'
import { MarketFeed, type MarketListener } from '../market/market-feed.ts'
import { toBotEvent, toTokenStart } from '../market/to-bot-event.ts'
import type { MarketEvent, Token } from '../market/types.ts'
import type { Trader } from '../orders/trader.ts'
import type { EventCheck } from './event-check.ts'

/** Looks that may lead to no order before a moment of the schedule passes without one. */
const LOOKS_MAX = 200

interface LoadMarketOptions {
  readonly url: string
  readonly seed: string
  readonly traders: readonly Trader[]
  readonly check: EventCheck
  readonly log: Log
  readonly signal: AbortSignal
}

/** The market as the players of a load see it, and what they decide. */
export class LoadMarket implements MarketListener {
  readonly #fleet: Fleet
  readonly #records = new CreatorRecords()
  readonly #check: EventCheck
  readonly #client: PapermoonClient
  readonly #feed: MarketFeed

  constructor({ url, seed, traders, check, log, signal }: LoadMarketOptions) {
    const members = traders.map(({ account: { userId, balance } }, index) => {
      return { userId, character: toCharacter(index), balance: Number(balance) }
    })
    this.#fleet = new Fleet({ seed, members, startMs: Date.now(), isBounded: false })
    this.#check = check
    this.#client = createPapermoonClient({ url })
    this.#feed = new MarketFeed({ client: this.#client, listener: this, log, signal })
  }

  async start(): Promise<void> {
    await this.#feed.start()
  }

  /** Open tokens that were seen so far. */
  countOpenTokens(): number {
    return [...this.#fleet.market.tokens].filter(({ isRugged }) => !isRugged).length
  }

  /** The next order of whoever wants one; null if nobody does. Players with an order under way pass. */
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

  onToken(token: Token): void {
    this.#records.add(token)
    this.#fleet.addToken(toTokenStart(token, this.#records.count(token)))
  }

  onEvent(event: MarketEvent): void {
    if (event.type === 'trade') this.#check.received(event.tokenId, event.seq)
    this.#fleet.observe(toBotEvent(event))
  }

  onGone(): void {}

  close(): Promise<void> {
    return this.#client.close()
  }
}

/** Players of a load have the tempers of the house's bots, each in turn. */
function toCharacter(index: number): Character {
  const character = CHARACTERS[index % CHARACTERS.length] as Character
  return { ...character, name: `player ${index + 1}` }
}
