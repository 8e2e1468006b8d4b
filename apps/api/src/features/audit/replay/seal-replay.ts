import { hash } from 'node:crypto'
import { Decimal, type Tokens } from '@papermoon/amm'
import { sealText } from '@papermoon/chain'
import { toChainSeal } from '../../../database/chain-rows.ts'
import type { Differences } from '../differences.ts'
import type { PoolRow, RugRow, SealRow, TokenRow, TradeRow } from '../store.ts'
import type { TokenRows } from './token-rows.ts'

interface SealParts {
  /** The token's name in reported differences. */
  readonly where: string
  readonly seals: TokenRows<SealRow>
  readonly differences: Differences
}

/**
 * Replays a token's seals between its trades. Checks that the creator could make each seal at that time, and that no
 * sale or rug pull broke a seal.
 */
export class SealReplay {
  readonly #token: TokenRow
  readonly #parts: SealParts
  /** Number of tokens that the creator holds. */
  #held: Tokens = new Decimal(0)
  #last: SealRow | null = null

  constructor(token: TokenRow, parts: SealParts) {
    this.#token = token
    this.#parts = parts
  }

  async addTrade({ seq, side, user_id, token_amount, created_at }: TradeRow): Promise<void> {
    await this.#takeBefore(seq)
    if (user_id !== this.#token.creator_id) return
    this.#held = side === 'buy' ? this.#held.add(token_amount) : this.#held.sub(token_amount)
    const isSealed = (this.#last?.bag_until?.getTime() ?? 0) > created_at.getTime()
    if (side === 'sell' && isSealed && this.#held.lt(this.#last?.bag_tokens ?? 0)) {
      this.#report(`trade ${seq}`, 'the creator sold sealed tokens')
    }
  }

  async addRug({ seq, at_ms }: RugRow): Promise<void> {
    await this.#takeBefore(seq)
    if ((this.#last?.until.getTime() ?? 0) > at_ms) this.#report('rug pull', 'the rug pull drained sealed liquidity')
  }

  /** Compares the stored seal of the pool. Call `compare` after the last entry. */
  async compare(pool: PoolRow): Promise<void> {
    await this.#takeBefore(Number.POSITIVE_INFINITY)
    const last = this.#last
    const isSame =
      pool.seals === (last?.n ?? 0) &&
      pool.sealed_ms === (last?.until.getTime() ?? null) &&
      pool.bag_sealed_ms === (last?.bag_until?.getTime() ?? null) &&
      new Decimal(pool.bag_sealed_tokens).eq(last?.bag_tokens ?? 0) &&
      pool.seal_head === (last?.hash ?? null)
    if (!isSame) this.#report('pool', 'the pool’s seal does not match the last seal')
  }

  /** Replays the seals that were made before the journal entry with this `seq`. */
  async #takeBefore(seq: number): Promise<void> {
    const { seals } = this.#parts
    const { id } = this.#token
    for (let row = await seals.peek(id); row !== undefined && row.seq < seq; row = await seals.peek(id)) {
      this.#check(row)
      this.#last = row
      await seals.take(id)
    }
  }

  #check(row: SealRow): void {
    const last = this.#last
    const what = `seal ${row.n}`
    const expected = hash('sha256', sealText(last?.hash ?? null, toChainSeal(row)))
    if (row.hash !== expected) this.#report(what, `the hash is ${row.hash}, but should be ${expected}`)
    if (row.n !== (last?.n ?? 0) + 1)
      this.#report(what, `seals are missing: the next number should be ${(last?.n ?? 0) + 1}`)
    if (row.user_id !== this.#token.creator_id) this.#report(what, `player ${row.user_id} did not launch the token`)
    const madeMs = row.created_at.getTime()
    if (last !== null && last.until.getTime() > madeMs && row.until < last.until)
      this.#report(what, 'the seal ends before an earlier seal')
    const keptMs = last?.bag_until?.getTime() ?? 0
    const isBagKept = keptMs <= madeMs || ((row.bag_until?.getTime() ?? 0) >= keptMs && !this.#isLess(row, last))
    if (!isBagKept) this.#report(what, 'the seal releases tokens that were sealed')
    const takesBag = row.with_bag && this.#held.gt(0)
    if (takesBag && !this.#held.eq(row.bag_tokens))
      this.#report(what, 'the sealed amount does not match the creator’s holding')
  }

  #isLess(row: SealRow, last: SealRow | null): boolean {
    return new Decimal(row.bag_tokens).lt(last?.bag_tokens ?? 0)
  }

  #report(what: string, sentence: string): void {
    this.#parts.differences.add(`${this.#parts.where}, ${what}`, sentence)
  }
}
