import type pg from 'pg'

const PAGE_ROWS = 1_000

/**
 * Runs `work` on the streams that `open` opens on one unchanging view of the whole database, while everybody else goes on
 * trading. The view lasts only until PostgreSQL has copied what the streams read into its temporary files: as long as it does, no
 * old version of a pool or an account is removed, and each order has to pass by all of them.
 */
export async function inStreamingSnapshot<Streams, Result>(
  pool: pg.Pool,
  open: (snapshot: StreamingSnapshot) => Promise<Streams>,
  work: (streams: Streams) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    // The whole takes as long as it takes; it locks nothing. Cursors are read to their end, so planned for that.
    await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
      set local cursor_tuple_fraction = 1`)
    const streams = await open(new StreamingSnapshot(client))
    await client.query('commit') // Here they are copied.
    return await work(streams)
  } finally {
    // Closed with its cursors.
    client.release(true)
  }
}

/** One view of the database, of which streams are opened. */
export class StreamingSnapshot {
  readonly #client: pg.ClientBase
  #streams = 0

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  /** The rows of a query, to be taken once the view is gone; however many there are, memory holds a page of them. */
  async stream<Row extends object>(query: string): Promise<RowStream<Row>> {
    const name = `audit_${++this.#streams}`
    await this.#client.query(`declare ${name} no scroll cursor with hold for ${query}`)
    return new RowStream<Row>(async () => {
      const { rows } = await this.#client.query(`fetch ${PAGE_ROWS} from ${name}`)
      return rows as Row[]
    })
  }
}

/** Rows one after another. */
export class RowStream<Row extends object> {
  readonly #nextPage: () => Promise<Row[]>
  #page: Row[] = []
  #at = 0
  #taken = 0
  #isAtEnd = false

  constructor(nextPage: () => Promise<Row[]>) {
    this.#nextPage = nextPage
  }

  /** Rows taken so far. */
  get taken(): number {
    return this.#taken
  }

  /** The next row, which stays the next one; undefined at the end. */
  async peek(): Promise<Row | undefined> {
    if (this.#at === this.#page.length && !this.#isAtEnd) {
      this.#page = await this.#nextPage()
      this.#at = 0
      this.#isAtEnd = this.#page.length < PAGE_ROWS
    }
    return this.#page[this.#at]
  }

  /** Moves past the next row. */
  async take(): Promise<Row | undefined> {
    const row = await this.peek()
    if (row === undefined) return undefined
    this.#at++
    this.#taken++
    return row
  }
}
