import { hash } from 'node:crypto'
import {
  AmmError,
  Decimal,
  LAUNCH_FEE,
  launchPool,
  type Pool,
  type Price,
  rugPool,
  type Sol,
  SUPPLY,
  spotPrice,
  type Tokens,
} from '@papermoon/amm'
import { type ChainEntry, entryText } from '@papermoon/chain'
import { computeLaunchHash, toChainRug, toChainTrade } from '../../../database/chain-rows.ts'
import type { Differences } from '../differences.ts'
import type { FairBooks } from '../player-books.ts'
import type { Positions } from '../positions.ts'
import type { PoolRow, PublishedRow, RugRow, SealRow, TokenRow, TradeRow } from '../store.ts'
import type { CandleReplay, PriceMove } from './candle-replay.ts'
import { SealReplay } from './seal-replay.ts'
import type { TokenRows } from './token-rows.ts'
import { agree, compareFigures, computedFigures, recordedFigures, type TradeFigures } from './trade-figures.ts'

/** Rebuilds a token's hash chain from its journal, and compares it with the stored and the published hashes. */
class ChainReplay {
  readonly #token: TokenRow
  readonly #parts: ChainParts
  #seq = 0
  /**
   * Start from the stored hash. Start from the stored hash, because one wrong hash would otherwise make all later ones
   * wrong.
   */
  #last: string

  constructor(token: TokenRow, parts: ChainParts) {
    this.#token = token
    this.#parts = parts
    this.#last = computeLaunchHash(token)
  }

  async addTrade(row: TradeRow): Promise<void> {
    await this.#add(toChainTrade(row), row.hash, `trade ${row.seq}`)
  }

  async addRug(row: RugRow): Promise<void> {
    const entry = toChainRug({ ...row, token_id: this.#token.id, created_at: new Date(row.at_ms) })
    await this.#add(entry, row.hash, 'rug pull')
  }

  /**
   * Compares the pool's stored hash. Call `compareHead` after the last entry; `head` is the hash that the pool
   * contains.
   */
  async compareHead(head: string): Promise<void> {
    if (head !== this.#last) this.#report('pool', 'hash of the last entry', { stored: head, expected: this.#last })
    await this.#comparePublished(Number.POSITIVE_INFINITY)
  }

  async #add(entry: ChainEntry, stored: string, what: string): Promise<void> {
    await this.#comparePublished(entry.seq)
    const expected = hash('sha256', entryText(this.#last, entry))
    if (stored !== expected) this.#report(what, 'hash', { stored, expected })
    this.#seq = entry.seq
    this.#last = stored
  }

  /** Compares the published hashes of those entries whose number is below `next`. */
  async #comparePublished(next: number): Promise<void> {
    const { published } = this.#parts
    const { id } = this.#token
    for (let row = await published.peek(id); row !== undefined && row.seq < next; row = await published.peek(id)) {
      const stored = row.seq === this.#seq ? this.#last : 'missing'
      const what = `entry ${row.seq}, published for ${row.hour.toISOString()}`
      if (stored !== row.hash) this.#report(what, 'hash', { stored, expected: row.hash })
      await published.take(id)
    }
  }

  #report(what: string, figure: string, { stored, expected }: { stored: string; expected: string }): void {
    this.#parts.differences.add(`${this.#parts.where}, ${what}`, `${figure} is ${stored}, but should be ${expected}`)
  }
}

interface ChainParts {
  /** The token's name in reported differences. */
  readonly where: string
  readonly published: TokenRows<PublishedRow>
  readonly differences: Differences
}

/** Objects that the replay of a token updates or reports to. */
export interface ReplayParts {
  /** The token's name in reported differences. */
  readonly where: string
  readonly books: FairBooks
  readonly positions: Positions
  readonly candles: readonly CandleReplay[]
  readonly published: TokenRows<PublishedRow>
  readonly seals: TokenRows<SealRow>
  readonly differences: Differences
}

/** Replays one token's journal and compares the result with the stored data. */
export class TokenReplay {
  readonly #token: TokenRow
  readonly #parts: ReplayParts
  readonly #chain: ChainReplay
  readonly #seals: SealReplay
  /** The pool as the market maker computes it from the journal. */
  #pool: Pool = launchPool()
  /**
   * The pool that the last trade recorded, if it differs from the computed pool. Continue from the recorded pool,
   * because one wrong value would otherwise make all later ones wrong.
   */
  #recordedPool: Pool | null = null
  #price: Price
  #fees: Sol = new Decimal(0)
  #seq = 0
  #lastTradeId = 0
  #lastEventMs: number
  #ruggedMs: number | null = null

  constructor(token: TokenRow, parts: ReplayParts) {
    this.#token = token
    this.#parts = parts
    this.#chain = new ChainReplay(token, parts)
    this.#seals = new SealReplay(token, parts)
    this.#price = spotPrice(this.#pool)
    this.#lastEventMs = token.created_at.getTime()
    parts.differences.compare(parts.where, [
      { figure: 'supply', stored: new Decimal(token.supply), expected: SUPPLY },
      { figure: 'launch price', stored: new Decimal(token.launch_price), expected: this.#price },
      { figure: 'launch fee', stored: new Decimal(token.launch_fee), expected: LAUNCH_FEE },
    ])
    parts.books.add(token.creator_id, LAUNCH_FEE.neg(), LAUNCH_FEE.neg())
  }

  /** Replays a trade. Call `addTrade` in the order of sequence numbers. */
  async addTrade(row: TradeRow): Promise<void> {
    const figures = this.#toFigures(row, this.#isNext(row.seq, 'trade'))
    const { solAmount, fee, spotPrice: after } = figures
    this.#checkOrder(row)
    await this.#chain.addTrade(row)
    await this.#seals.addTrade(row)
    const realized = this.#parts.positions.add(row, figures)
    const isBuy = row.side === 'buy'
    this.#parts.books.add(row.user_id, isBuy ? solAmount.neg() : solAmount, realized)
    this.#fees = this.#fees.add(fee)
    await this.#move(row.created_at.getTime(), { after, volume: isBuy ? solAmount : solAmount.add(fee), trades: 1 })
  }

  /** Replays a rug pull. Call `addRug` last, because nobody can trade after a rug pull. */
  async addRug(row: RugRow): Promise<void> {
    const { where, books, differences } = this.#parts
    this.#isNext(row.seq, 'rug pull')
    await this.#chain.addRug(row)
    await this.#seals.addRug(row)
    if (row.user_id !== this.#token.creator_id) {
      differences.add(`${where}, rug pull`, `player ${row.user_id} did not launch the token`)
    }
    if (this.#pool.sol.isZero()) {
      differences.add(`${where}, rug pull`, 'the pool was already closed')
      return
    }
    const { drained, pool } = rugPool(this.#pool)
    differences.compare(`${where}, rug pull`, [
      { figure: 'amount', stored: new Decimal(row.amount), expected: drained },
    ])
    books.add(this.#token.creator_id, drained, drained)
    this.#pool = pool
    this.#ruggedMs = row.at_ms
    await this.#move(row.at_ms, { after: spotPrice(pool), volume: new Decimal(0), trades: 0 })
  }

  /** Compares the stored pool. Call `compare` after the last entry; `held` is the sum of stored holdings. */
  async compare(pool: PoolRow, held: Tokens): Promise<void> {
    const { where, differences } = this.#parts
    const tokens = new Decimal(pool.token_reserve)
    differences.compare(`${where}, pool`, [
      { figure: 'SOL reserve', stored: new Decimal(pool.sol_reserve), expected: this.#pool.sol },
      { figure: 'virtual SOL', stored: new Decimal(pool.virtual_sol), expected: this.#pool.virtualSol },
      { figure: 'token reserve', stored: tokens, expected: this.#pool.tokens },
      { figure: 'sum of fees', stored: new Decimal(pool.fees), expected: this.#fees },
      { figure: 'price', stored: new Decimal(pool.price), expected: spotPrice(this.#pool) },
      { figure: 'last sequence number', stored: new Decimal(pool.seq), expected: new Decimal(this.#seq) },
    ])
    differences.compare(where, [
      { figure: 'pool + holdings', stored: tokens.add(held), expected: new Decimal(this.#token.supply) },
    ])
    await this.#chain.compareHead(pool.chain_head)
    await this.#seals.compare(pool)
    if (pool.last_event_ms !== this.#lastEventMs)
      differences.add(`${where}, pool`, 'the time of the last entry is wrong')
    if (pool.rugged_ms !== this.#ruggedMs) {
      const what =
        this.#ruggedMs === null
          ? 'the pool is closed without a rug pull'
          : 'the pool did not close at the time of the rug pull'
      differences.add(`${where}, pool`, what)
    }
  }

  #isNext(seq: number, what: string): boolean {
    const expected = this.#seq + 1
    this.#seq = seq
    if (seq === expected) return true
    this.#parts.differences.add(
      `${this.#parts.where}, ${what} ${seq}`,
      `entries are missing: the next number should be ${expected}`,
    )
    return false
  }

  /** Checks that ids and times never decrease, because they are assigned while the pool is locked. */
  #checkOrder({ id, seq, created_at }: TradeRow): void {
    const { where, differences } = this.#parts
    if (id <= this.#lastTradeId)
      differences.add(`${where}, trade ${seq}`, `the id ${id} is not greater than the previous trade’s id`)
    if (created_at.getTime() < this.#lastEventMs)
      differences.add(`${where}, trade ${seq}`, 'the trade is older than the previous entry')
    this.#lastTradeId = id
  }

  /**
   * Returns the values that a trade should have. If entries are missing before the trade, its values cannot be
   * computed, so the recorded values are returned.
   */
  #toFigures(row: TradeRow, isNext: boolean): TradeFigures {
    const recorded = recordedFigures(row, this.#pool.virtualSol)
    const figures = isNext ? this.#replay(row, recorded) : recorded
    this.#pool = figures.pool
    return figures
  }

  #replay(row: TradeRow, recorded: TradeFigures): TradeFigures {
    const figures = computedFigures(this.#pool, row.side, recorded)
    if (!(figures instanceof AmmError) && agree(recorded, figures)) {
      this.#recordedPool = null
      return figures
    }
    const other = this.#recordedPool === null ? null : computedFigures(this.#recordedPool, row.side, recorded)
    if (other !== null && !(other instanceof AmmError) && agree(recorded, other)) {
      this.#recordedPool = null
      return other
    }
    const where = `${this.#parts.where}, trade ${row.seq}`
    this.#recordedPool = recorded.pool
    if (figures instanceof AmmError) {
      this.#parts.differences.add(where, `the trade is impossible: ${figures.message}`)
      return recorded
    }
    this.#parts.differences.compare(where, compareFigures(recorded, figures))
    return figures
  }

  async #move(atMs: number, move: Omit<PriceMove, 'atMs' | 'before'>): Promise<void> {
    for (const candles of this.#parts.candles) await candles.add({ atMs, before: this.#price, ...move })
    this.#price = move.after
    this.#lastEventMs = atMs
  }
}
