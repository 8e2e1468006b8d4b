import type { Differences } from '../differences.ts'
import type { RowStream } from '../streaming-snapshot.ts'

interface RowOfToken {
  readonly token_id: number
}

/**
 * One table's rows by token, in the order of the list of tokens. Rows of an unknown token count as differences, because
 * these tables have no foreign key.
 */
export class TokenRows<Row extends RowOfToken> {
  readonly #rows: RowStream<Row>
  readonly #what: string
  readonly #differences: Differences
  #stray = 0

  /** The plural noun for the rows, such as "candles". */
  constructor(rows: RowStream<Row>, what: string, differences: Differences) {
    this.#rows = rows
    this.#what = what
    this.#differences = differences
  }

  get taken(): number {
    return this.#rows.taken
  }

  /**
   * Returns the token's next row without consuming it. Returns undefined if the token has no more rows. Call this
   * function in the order of tokens.
   */
  async peek(tokenId: number): Promise<Row | undefined> {
    let row = await this.#rows.peek()
    while (row !== undefined && row.token_id < tokenId) {
      this.#report(row.token_id)
      await this.#rows.take()
      row = await this.#rows.peek()
    }
    return row?.token_id === tokenId ? row : undefined
  }

  /** Consumes and returns the token's next row. */
  async take(tokenId: number): Promise<Row | undefined> {
    const row = await this.peek(tokenId)
    if (row !== undefined) await this.#rows.take()
    return row
  }

  /** Reports all remaining rows, which belong to unknown tokens. Call `finish` after the last token. */
  async finish(): Promise<void> {
    await this.peek(Number.POSITIVE_INFINITY)
  }

  #report(tokenId: number): void {
    if (tokenId === this.#stray) return
    this.#stray = tokenId
    this.#differences.add(`token ${tokenId}`, `the token does not exist, but has ${this.#what}`)
  }
}
