import { auditMarket } from '../../../src/features/audit/audit-market.ts'
import { type AcknowledgementWatch, watchAcknowledgements } from '../faults/ha/acknowledgement-watch.ts'
import { readJournal, toKeyedTrades } from '../faults/support/exact-journal.ts'
import { newMarket } from '../faults/support/market-of-players.ts'
import { type Followed, type Follower, followToken } from '../support/follow-token.ts'
import { type Load, startLoad } from '../support/load.ts'
import { type FeedSeen, judge, type Verdict } from './judge.ts'
import { MarketListener } from './market-listener.ts'
import type { ScaledMarket } from './scaled-market.ts'
import { startWitnesses, type Witnesses } from './witnesses.ts'

const TRADERS = 4
const WITNESSES = 2
const TOKENS = 2
const LANES = 2

/** What the players of a run saw in the end. */
export interface PlayersSeen {
  readonly verdict: Verdict
  /** What ended a player's orders early, a sentence each. */
  readonly failures: readonly string[]
  /** Times that pages and programs connected again. */
  readonly resumed: number
}

/** Everybody who uses a market at scale: traders, witnesses who read what they did, pages, and a program that listens. */
export class Players {
  readonly load: Load
  readonly watch: AcknowledgementWatch
  readonly #market: ScaledMarket
  readonly #witnesses: Witnesses
  readonly #pages: readonly Follower[]
  #listener: MarketListener | null = null

  private constructor(
    market: ScaledMarket,
    users: { readonly load: Load; readonly witnesses: Witnesses; readonly pages: readonly Follower[] },
  ) {
    this.#market = market
    this.load = users.load
    this.watch = watchAcknowledgements(users.load)
    this.#witnesses = users.witnesses
    this.#pages = users.pages
  }

  static async start(market: ScaledMarket, say: (line: string) => void): Promise<Players> {
    const { urls, isProxied } = market
    const { players, tokens } = await newMarket(urls()[0] ?? '', TRADERS + WITNESSES, TOKENS)
    const pages = tokens.map((tokenId) => followToken({ tokenId, urls }))
    await Promise.all(pages.map(({ started }) => started))
    const load = startLoad({ players: players.slice(0, TRADERS), tokens, lanes: LANES, urls, isProxied })
    const witnesses = startWitnesses({ players: players.slice(TRADERS), tokens, urls, isProxied, say })
    return new Players(market, { load, witnesses, pages })
  }

  /** Begins what the last release does not promise: reads that contain the reader's orders, a program that resumes by a cursor. */
  async useThisBuild(): Promise<void> {
    this.#witnesses.read()
    this.#listener = await MarketListener.start(this.#market.urls, () => this.#readSeqs())
  }

  /** Lets everybody finish, and compares what they saw with the journal. */
  async settle(): Promise<PlayersSeen> {
    const failures: string[] = []
    const note = (error: unknown) => void failures.push(error instanceof Error ? error.message : String(error))
    await Promise.all([this.load.stop().catch(note), this.#witnesses.stop().catch(note)])
    this.watch.stop()
    const last = await this.#readSeqs()
    const [pages, heard] = await Promise.all([
      Promise.all(this.#pages.map((page) => page.stopAt(last.get(page.tokenId) ?? 0))),
      this.#listener?.stopAt(last) ?? [],
    ])
    const orders = [...this.load.acknowledged, ...this.#witnesses.acknowledged]
    const verdict = judge({
      acknowledged: toKeyedTrades(orders),
      interrupted: orders.filter(({ wasInterrupted }) => wasInterrupted).length,
      unresolved: this.load.countPending() + this.#witnesses.countPending(),
      reads: this.#witnesses.reads,
      feeds: [...heard, ...pages.map((page, place) => toFeed(this.#pages[place], page))],
      ...(await this.#readDatabase()),
    })
    const resumed = pages.reduce((sum, page) => sum + page.resumed, this.#listener?.resumed ?? 0)
    return { verdict, failures, resumed }
  }

  /** The last sequence number of each token. */
  async #readSeqs(): Promise<ReadonlyMap<number, number>> {
    const database = this.#market.database.open()
    try {
      const pools = await database.db.selectFrom('pools').select(['token_id', 'seq']).execute()
      return new Map(pools.map(({ token_id, seq }) => [token_id, seq]))
    } finally {
      await database.close()
    }
  }

  async #readDatabase() {
    const database = this.#market.database.open()
    try {
      return { journal: await readJournal(database), audit: (await auditMarket(database.pool)).shown }
    } finally {
      await database.close()
    }
  }
}

function toFeed(page: Follower | undefined, { events }: Followed): FeedSeen {
  return { kind: 'page', tokenId: page?.tokenId ?? 0, after: 0, events }
}
