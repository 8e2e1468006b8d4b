import type pg from 'pg'

const PAGE_ROWS = 1_000

/**
 * Opens streams with `open` on one snapshot of the whole database, then runs `work` on them. The snapshot lasts only
 * until PostgreSQL has copied the streams to its temporary files. Until the snapshot ends, PostgreSQL cannot remove old
 * row versions of pools and accounts, and every order must skip them.
 */
export async function inStreamingSnapshot<Streams, Result>(
  pool: Pick<pg.Pool, 'connect'>,
  open: (snapshot: StreamingSnapshot) => Promise<Streams>,
  work: (streams: Streams) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    // Set no timeout, because the transaction holds no locks. Let PostgreSQL plan for all rows, because the cursors are
    // read to the end.
    await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
      set local cursor_tuple_fraction = 1`)
    const streams = await open(new StreamingSnapshot(client))
    await client.query('commit') // The commit copies the streams to temporary files.
    return await work(streams)
  } finally {
    // Closing the connection also closes the connection's cursors.
    client.release(true)
  }
}

/** A snapshot of the database on which streams can be opened. */
export class StreamingSnapshot {
  readonly #client: pg.ClientBase
  #streams = 0

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  /** Looks for tables in these schemas after this call. */
  async searchIn(...schemas: readonly string[]): Promise<void> {
    await this.#client.query(`set local search_path = ${schemas.join(', ')}`)
  }

  /**
   * Opens a stream of a query's rows, which can be read after the snapshot has ended. Only one page of the rows is in
   * memory.
   */
  async stream<Row extends object>(query: string): Promise<RowStream<Row>> {
    const name = `audit_${++this.#streams}`
    await this.#client.query(`declare ${name} no scroll cursor with hold for ${query}`)
    return new RowStream<Row>(async () => {
      const { rows } = await this.#client.query(`fetch ${PAGE_ROWS} from ${name}`)
      return rows as Row[]
    })
  }
}

export class RowStream<Row extends object> {
  readonly #nextPage: () => Promise<Row[]>
  #page: Row[] = []
  #at = 0
  #taken = 0
  #isAtEnd = false

  constructor(nextPage: () => Promise<Row[]>) {
    this.#nextPage = nextPage
  }

  /** Number of rows that were consumed so far. */
  get taken(): number {
    return this.#taken
  }

  /** Returns the next row without consuming it. Returns undefined at the end. */
  async peek(): Promise<Row | undefined> {
    if (this.#at === this.#page.length && !this.#isAtEnd) {
      this.#page = await this.#nextPage()
      this.#at = 0
      this.#isAtEnd = this.#page.length < PAGE_ROWS
    }
    return this.#page[this.#at]
  }

  /** Consumes and returns the next row. */
  async take(): Promise<Row | undefined> {
    const row = await this.peek()
    if (row === undefined) return undefined
    this.#at++
    this.#taken++
    return row
  }
}
