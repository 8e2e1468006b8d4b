import { hash } from 'node:crypto'
import { type ChainEntry, entryText, launchText } from '@papermoon/chain'
import { figureText } from '../../figure-text.ts'
import type { Differences } from './differences.ts'
import type { RugRow, TokenRow, TradeRow } from './store.ts'

/** The hash chain of one token, made anew from its journal. */
export class ChainReplay {
  readonly #token: TokenRow
  readonly #where: string
  readonly #differences: Differences
  /** As it stands, not as it has to be: one wrong hash must not make all after it wrong. */
  #last: string

  constructor(token: TokenRow, where: string, differences: Differences) {
    this.#token = token
    this.#where = where
    this.#differences = differences
    this.#last = hash('sha256', launchTextOf(token))
  }

  addTrade(row: TradeRow): void {
    this.#add(chainTradeOf(row), row.hash, `trade ${row.seq}`)
  }

  addRug(row: RugRow): void {
    this.#add(chainRugOf(row, this.#token.id), row.hash, 'rug pull')
  }

  /** After the last entry; `head` is what stands in the pool. */
  compareHead(head: string): void {
    if (head !== this.#last) this.#tell('pool', 'hash of the last entry', head, this.#last)
  }

  #add(entry: ChainEntry, stands: string, what: string): void {
    const expected = hash('sha256', entryText(this.#last, entry))
    if (stands !== expected) this.#tell(what, 'hash', stands, expected)
    this.#last = stands
  }

  #tell(what: string, figure: string, stands: string, expected: string): void {
    this.#differences.add(`${this.#where}, ${what}`, `${figure} is ${stands} and has to be ${expected}`)
  }
}

function launchTextOf({ id, creator_id, supply, launch_price, created_at, name, symbol }: TokenRow): string {
  return launchText({
    tokenId: id,
    creatorId: creator_id,
    supply: figureText(supply),
    launchPrice: figureText(launch_price),
    createdAt: created_at.toISOString(),
    name,
    symbol,
  })
}

function chainTradeOf(row: TradeRow): ChainEntry {
  return {
    kind: row.side,
    tokenId: row.token_id,
    seq: row.seq,
    userId: row.user_id,
    solAmount: figureText(row.sol_amount),
    fee: figureText(row.fee),
    tokenAmount: figureText(row.token_amount),
    price: figureText(row.price),
    spotPrice: figureText(row.spot_price),
    solReserve: figureText(row.sol_reserve),
    tokenReserve: figureText(row.token_reserve),
    createdAt: row.created_at.toISOString(),
  }
}

function chainRugOf(row: RugRow, tokenId: number): ChainEntry {
  const createdAt = new Date(row.at_ms).toISOString()
  return { kind: 'rug', tokenId, seq: row.seq, userId: row.user_id, amount: figureText(row.amount), createdAt }
}
