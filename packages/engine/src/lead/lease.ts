import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import type { Logger } from 'pino'
import { EngineConnection } from '../sql/connection.ts'
import { LOCK_TIMEOUT_MS } from '../sql/connection-settings.ts'

export const LEASE_MS = 1_500
const RENEW_MS = 500
/** A slower answer means that the database is away; the lease then ends by itself. */
const ANSWER_MAX_MS = 1_000
/** The row is read this long after it expires. */
const AFTER_EXPIRY_MS = 10

/** The node that leads. */
export interface Leader {
  /** Counts the leaders of this database. */
  readonly term: number
  /** Identifies its process. */
  readonly node: string
  /** Its machine. */
  readonly host: string
  /** Where it takes orders: host and port. */
  readonly address: string
}

interface LeaseParts {
  readonly pool: pg.Pool
  readonly log: Logger
  /** This node. */
  readonly node: string
  /** Where this node would take orders; null if it must not lead. */
  readonly address: string | null
  /** Called when another node leads than before; null: none that is known. */
  onChange(leader: Leader | null): void
}

/**
 * The lease of the leading engine: one row, good for `LEASE_MS` by the database's clock. The leader renews it, and the others take it
 * when it has expired. It decides where orders run first and nothing else: a frozen process may believe for a moment that it leads.
 */
export class Lease {
  readonly #parts: LeaseParts
  /** Its own, so that a pool without a free connection does not cost the lead. */
  readonly #connection: EngineConnection
  #leader: Leader | null = null
  /** End of the lease by the monotonic clock, no later than by the database's. */
  #validUntilMs = 0
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> = Promise.resolve()
  #isAway = false
  #isStopped = false

  constructor(parts: LeaseParts) {
    this.#parts = parts
    this.#connection = new EngineConnection({ pool: parts.pool, log: parts.log, lockTimeoutMs: LOCK_TIMEOUT_MS })
  }

  /** The leader as of the last turn; null if its lease has ended since. */
  get leader(): Leader | null {
    return performance.now() < this.#validUntilMs ? this.#leader : null
  }

  get isOwn(): boolean {
    return this.leader?.node === this.#parts.node
  }

  /** Resolves after the first turn, whatever came of it. */
  async start(): Promise<void> {
    await this.#run()
  }

  /** Gives the lead up at once and stops. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#turn
    if (this.#leader?.node === this.#parts.node) {
      await this.#ask(async (client) => await client.query(RELEASE, [this.#parts.node])).catch(() => undefined)
    }
    this.#note(null, 0)
    await this.#connection.close()
  }

  async #run(): Promise<void> {
    this.#turn = this.#takeTurn()
    await this.#turn
    if (this.#isStopped) return
    // The lease of a dead leader is taken when it expires, not up to half a second later.
    const leftMs =
      this.#leader === null || this.isOwn ? RENEW_MS : this.#validUntilMs + AFTER_EXPIRY_MS - performance.now()
    this.#timer = setTimeout(() => void this.#run(), Math.max(AFTER_EXPIRY_MS, Math.min(RENEW_MS, leftMs))).unref()
  }

  async #takeTurn(): Promise<void> {
    const askedMs = performance.now()
    try {
      const row = await this.#ask((client) => this.#read(client))
      this.#note(row, row === null ? 0 : askedMs + row.leftMs)
      if (this.#isAway) this.#parts.log.info('the lease of the leading engine can be read again')
      this.#isAway = false
    } catch (error) {
      if (!this.#isAway) this.#parts.log.warn({ err: error }, 'the lease of the leading engine could not be read')
      this.#isAway = true
      if (this.leader === null) this.#note(null, 0)
    }
  }

  /** Takes or renews the lease if this node may; else reads it. Null: nobody holds it. */
  async #read(client: pg.ClientBase): Promise<LeaseRow | null> {
    const { node, address } = this.#parts
    const isHeld = this.#leader?.node === node
    const found = isHeld ? null : await readRow(client)
    if (address === null || (found !== null && found.node !== node)) return found
    const { rows } = await client.query<{ term: number }>(TAKE, [node, hostname(), address, LEASE_MS])
    const [taken] = rows
    return taken === undefined
      ? await readRow(client)
      : { term: taken.term, node, host: hostname(), address, leftMs: LEASE_MS }
  }

  /** Discards the connection after a failure or a late answer: whatever was asked may still take effect. */
  async #ask<T>(read: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => reject(new Error(`the lease was not answered within ${ANSWER_MAX_MS} ms`)),
      ANSWER_MAX_MS,
    )
    try {
      const client = await Promise.race([this.#connection.client(), late])
      return await Promise.race([read(client), late])
    } catch (error) {
      await this.#connection.recover(error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #note(row: Leader | null, validUntilMs: number): void {
    const before = this.#leader
    this.#leader = row
    this.#validUntilMs = validUntilMs
    if (before?.term !== row?.term || before?.node !== row?.node) this.#parts.onChange(row)
  }
}

interface LeaseRow extends Leader {
  /** For how long it is still good. */
  readonly leftMs: number
}

async function readRow(client: pg.ClientBase): Promise<LeaseRow | null> {
  const { rows } = await client.query<LeaseRow>(READ, [LEASE_MS])
  return rows[0] ?? null
}

// An expiry further away than any lease was written by a clock that has been set back since.
const READ = `
  select term::int, node, host, address, extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as "leftMs"
    from engine_lease
   where expires_at > clock_timestamp() and expires_at <= clock_timestamp() + $1 * interval '1 ms'`

// Not synchronous: a renewal that a crash undoes costs nothing, and must not wait for a standby that is away.
const TAKE = `
  with settings as materialized (select set_config('synchronous_commit', 'off', true))
  insert into engine_lease as l (term, node, host, address, expires_at)
  select 1, $1::uuid, $2, $3, clock_timestamp() + $4 * interval '1 ms' from settings
  on conflict (id) do update set
    term = l.term + (l.node <> excluded.node)::int,
    node = excluded.node, host = excluded.host, address = excluded.address, expires_at = excluded.expires_at
  where l.node = excluded.node or l.expires_at <= clock_timestamp()
     or l.expires_at > clock_timestamp() + $4 * interval '1 ms'
  returning l.term::int as term`

const RELEASE = `update engine_lease set expires_at = '-infinity' where node = $1::uuid`
