import {
  AmmError,
  Decimal,
  type Position,
  positionAfterBuy,
  positionAfterSell,
  type Sol,
  type Tokens,
} from '@papermoon/amm'
import type { Differences } from './differences.ts'
import type { TokenRows } from './replay/token-rows.ts'
import type { TradeFigures } from './replay/trade-figures.ts'
import type { HoldingRow, TradeRow } from './store.ts'

const NOTHING: Position = { amount: new Decimal(0), cost: new Decimal(0) }

/** One token's holdings by player, with their cost. */
export class Positions {
  readonly #where: string
  readonly #differences: Differences
  readonly #positions = new Map<number, Position>()

  constructor(where: string, differences: Differences) {
    this.#where = where
    this.#differences = differences
  }

  /** Applies a trade to the holding of the player who made it. Returns the realized profit in SOL. */
  add({ user_id, side, seq }: TradeRow, { solAmount, tokenAmount }: TradeFigures): Sol {
    const before = this.#positions.get(user_id) ?? NOTHING
    try {
      if (side === 'buy') {
        this.#positions.set(user_id, positionAfterBuy(before, tokenAmount, solAmount))
        return NOTHING.cost
      }
      const { position, realizedPnl } = positionAfterSell(before, tokenAmount, solAmount)
      this.#positions.set(user_id, position)
      return realizedPnl
    } catch (error) {
      if (!(error instanceof AmmError)) throw error
      const what = `player ${user_id} held ${before.amount.toFixed()} tokens, but traded ${tokenAmount.toFixed()}`
      this.#differences.add(`${this.#where}, trade ${seq}`, what)
      this.#positions.set(user_id, NOTHING)
      return solAmount.sub(before.cost)
    }
  }

  /** Compares every holding with the journal. Returns the sum of all stored amounts. */
  async compare(tokenId: number, holdings: TokenRows<HoldingRow>): Promise<Tokens> {
    let held = NOTHING.amount
    for (let row = await holdings.take(tokenId); row !== undefined; row = await holdings.take(tokenId)) {
      const stored = { amount: new Decimal(row.amount), cost: new Decimal(row.cost) }
      held = held.add(stored.amount)
      this.#compare(row.user_id, stored)
      this.#positions.delete(row.user_id)
    }
    for (const userId of this.#positions.keys()) this.#compare(userId, NOTHING)
    return held
  }

  #compare(userId: number, stored: Position): void {
    const expected = this.#positions.get(userId) ?? NOTHING
    this.#differences.compare(`${this.#where}, holding of player ${userId}`, [
      { figure: 'amount', stored: stored.amount, expected: expected.amount },
      { figure: 'cost', stored: stored.cost, expected: expected.cost },
    ])
  }
}
