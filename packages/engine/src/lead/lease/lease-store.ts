import { hostname } from 'node:os'
import type pg from 'pg'
import type { Logger } from 'pino'
import { EngineConnection } from '../../sql/connection.ts'
import { LOCK_TIMEOUT_MS } from '../../sql/connection-settings.ts'
import type { LeadAddresses } from './leader.ts'
import { LEASE_MS, type LeaseRow, type LeaseStore } from './lease.ts'

/** The lease in PostgreSQL, over a connection of its own, so that a pool without a free one does not cost the lead. */
export class DatabaseLeaseStore implements LeaseStore {
  readonly #connection: EngineConnection
  readonly #leaseMs: number

  /** `leaseMs` must be the same on all nodes of a database. */
  constructor({
    leaseMs = LEASE_MS,
    ...parts
  }: { readonly pool: pg.Pool; readonly log: Logger; readonly leaseMs?: number }) {
    this.#connection = new EngineConnection({ ...parts, lockTimeoutMs: LOCK_TIMEOUT_MS })
    this.#leaseMs = leaseMs
  }

  async read(): Promise<LeaseRow | null> {
    const { rows } = await (await this.#connection.client()).query<LeaseRow>(READ, [this.#leaseMs])
    return rows[0] ?? null
  }

  async take(node: string, { address, socket }: LeadAddresses): Promise<LeaseRow | null> {
    const client = await this.#connection.client()
    const host = hostname()
    const { rows } = await client.query<{ term: number }>(TAKE, [node, host, address, socket, this.#leaseMs])
    const [taken] = rows
    return taken === undefined ? null : { term: taken.term, node, host, address, socket, leftMs: this.#leaseMs }
  }

  async release(node: string): Promise<void> {
    await (await this.#connection.client()).query(RELEASE, [node])
  }

  async recover(error: unknown): Promise<void> {
    await this.#connection.recover(error)
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }
}

// An expiry further away than any lease was written by a clock that has been set back since.
const READ = `
  select term::int, node, host, address, socket,
         extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as "leftMs"
    from engine_lease
   where expires_at > clock_timestamp() and expires_at <= clock_timestamp() + $1 * interval '1 ms'`

// Not synchronous: a renewal that a crash undoes costs nothing, and must not wait for a standby that is away.
const TAKE = `
  with settings as materialized (select set_config('synchronous_commit', 'off', true))
  insert into engine_lease as l (term, node, host, address, socket, expires_at)
  select 1, $1::uuid, $2, $3, $4, clock_timestamp() + $5 * interval '1 ms' from settings
  on conflict (id) do update set
    term = l.term + (l.node <> excluded.node)::int,
    node = excluded.node, host = excluded.host, address = excluded.address, socket = excluded.socket,
    expires_at = excluded.expires_at
  where l.node = excluded.node or l.expires_at <= clock_timestamp()
     or l.expires_at > clock_timestamp() + $5 * interval '1 ms'
  returning l.term::int as term`

const RELEASE = `update engine_lease set expires_at = '-infinity' where node = $1::uuid`
