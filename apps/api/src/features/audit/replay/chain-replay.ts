import { hash } from 'node:crypto'
import { type ChainEntry, entryText } from '@papermoon/chain'
import { computeLaunchHash, toChainRug, toChainTrade } from '../../../database/chain-rows.ts'
import type { Differences } from '../differences.ts'
import type { PublishedRow, RugRow, TokenRow, TradeRow } from '../store.ts'
import type { TokenRows } from './token-rows.ts'

interface ChainParts {
  /** How differences name the token. */
  readonly where: string
  readonly published: TokenRows<PublishedRow>
  readonly differences: Differences
}

/** Rebuilds a token's hash chain from its journal, and compares it with the stored and the published hashes. */
export class ChainReplay {
  readonly #token: TokenRow
  readonly #parts: ChainParts
  #seq = 0
  /** The stored hash, not the expected one, because one wrong hash must not make all later ones wrong. */
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

  /** Compares the pool's hash. Call this after the last entry; `head` is the hash stored in the pool. */
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

  /** Compares the published hashes of entries before number `next`. */
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
