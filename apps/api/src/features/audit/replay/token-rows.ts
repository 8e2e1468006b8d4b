import type { Differences } from '../differences.ts'
import type { RowStream } from '../streaming-snapshot.ts'

interface RowOfToken {
  readonly token_id: number
}

/**
 * Rows of one table in the order of their tokens, read beside the list of tokens. Rows of a token that is not in the list
 * are differences: these tables have no foreign key.
 */
export class TokenRows<Row extends RowOfToken> {
  readonly #rows: RowStream<Row>
  readonly #what: string
  readonly #differences: Differences
  #stray = 0

  /** `what`: the rows' name in the plural. */
  constructor(rows: RowStream<Row>, what: string, differences: Differences) {
    this.#rows = rows
    this.#what = what
    this.#differences = differences
  }

  get taken(): number {
    return this.#rows.taken
  }

  /** The token's next row, which stays the next one; undefined when there is none left. Tokens come in order. */
  async peek(tokenId: number): Promise<Row | undefined> {
    let row = await this.#rows.peek()
    while (row !== undefined && row.token_id < tokenId) {
      this.#tell(row.token_id)
      await this.#rows.take()
      row = await this.#rows.peek()
    }
    return row?.token_id === tokenId ? row : undefined
  }

  /** Moves past the token's next row. */
  async take(tokenId: number): Promise<Row | undefined> {
    const row = await this.peek(tokenId)
    if (row !== undefined) await this.#rows.take()
    return row
  }

  /** After the last token: whatever is left belongs to none. */
  async finish(): Promise<void> {
    await this.peek(Number.POSITIVE_INFINITY)
  }

  #tell(tokenId: number): void {
    if (tokenId === this.#stray) return
    this.#stray = tokenId
    this.#differences.add(`token ${tokenId}`, `has ${this.#what} and does not exist`)
  }
}
