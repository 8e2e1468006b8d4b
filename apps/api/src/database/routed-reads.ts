import {
  type Database,
  type DatabaseClient,
  getSqlState,
  isDatabaseUnavailable,
  onConnection,
  readServerPosition,
  type ServerPosition,
  TimeoutError,
  withTimeout,
} from '@papermoon/db'
import { type Clock, DomainError } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { LiveFeed } from '../events/live-feed.ts'
import { type PeriodicJob, startPeriodicJob } from '../lib/periodic-job.ts'
import type { Need, ReadFrom, ReadName, Reads, RoutedRead } from './reads.ts'
import { findReplicaPosition, waitForPosition } from './replica-position.ts'
import { describeReplica, isReplicaOf, PositionSamples, type ReplicaState } from './replica-state.ts'

const PROBE_EVERY_MS = 500
/** A replica that takes longer for one row counts as away. */
const ANSWER_WITHIN_MS = 1_000
/** Max wait for a replica to replay what a read needs: usually it takes a few milliseconds. */
const CATCH_UP_MAX_MS = 200
/** A statement took longer than it may. */
const QUERY_CANCELED = '57014'
/** Replay had to remove rows that the read needed, or its locks. */
const CONFLICTS = new Set(['40001', '40P01'])

export type Fallback = 'behind' | 'away' | 'conflict' | 'slow' | 'failed'

/** Figures for the metrics; counts are since the start. */
export interface ReadFigures {
  readonly reads: ReadonlyMap<ReadName, Readonly<Record<'primary' | 'replica', number>>>
  readonly fallbacks: Readonly<Record<Fallback, number>>
  readonly state: ReplicaState
}

export interface RoutedReadsParts {
  readonly primary: Kysely<Database>
  readonly replica: Pick<DatabaseClient, 'pool'>
  readonly feed: Pick<LiveFeed, 'getSeq' | 'isBehind' | 'isHidden' | 'visibility'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly maxLagSeconds: number
}

/** The replica cannot answer this read now. */
class NotOnReplicaError extends Error {
  readonly reason: Fallback

  constructor(reason: Fallback) {
    super(`the read cannot be answered by the replica: ${reason}`)
    this.reason = reason
  }
}

/**
 * Sends reads to a replica while it contains what their callers may have seen, else to the primary. What a replica contains
 * is checked on the connection that reads, before its snapshot: a balancer may lead each connection to another replica. A
 * read that fails on the replica is repeated on the primary.
 */
export class RoutedReads implements Reads {
  readonly #parts: RoutedReadsParts
  readonly #samples: PositionSamples
  readonly #reads = new Map<ReadName, { primary: number; replica: number }>()
  readonly #fallbacks: Record<Fallback, number> = { behind: 0, away: 0, conflict: 0, slow: 0, failed: 0 }
  /** When the last answer of each name was complete, by the monotonic clock. */
  readonly #answeredMs = new Map<ReadName, number>()
  #state: ReplicaState = { kind: 'unknown' }
  #primary: ServerPosition | null = null
  #job: PeriodicJob | null = null

  constructor(parts: RoutedReadsParts) {
    this.#parts = parts
    this.#samples = new PositionSamples(parts.maxLagSeconds * 1_000 + 2 * PROBE_EVERY_MS)
  }

  /** Looks at the replica twice a second. Until the first look, reads go to the primary. */
  start(): void {
    const { log } = this.#parts
    this.#job ??= startPeriodicJob(
      PROBE_EVERY_MS,
      () => this.probe(),
      (error) => log.warn({ err: error }, 'the primary’s WAL position could not be read'),
    )
  }

  async stop(): Promise<void> {
    await this.#job?.stop()
  }

  getFigures(): ReadFigures {
    return { reads: this.#reads, fallbacks: this.#fallbacks, state: this.#state }
  }

  async mark(): Promise<Need> {
    if (this.#state.kind !== 'usable') return { kind: 'everything' }
    return { kind: 'position', position: (await readServerPosition(this.#parts.primary)).position }
  }

  async run<T>(read: RoutedRead, from: ReadFrom<T>): Promise<T> {
    if (this.#state.kind === 'usable') {
      // Before a connection is taken: what is committed from here on is not needed.
      const position = await this.#findNeededPosition(read.need)
      try {
        return await this.#count(read, 'replica', this.#readReplica({ ...read, position }, from))
      } catch (error) {
        if (error instanceof DomainError && isWhole(read.need)) throw error
        this.#noteFallback(error)
      }
    }
    return await this.#count(read, 'primary', from(this.#parts.primary, null))
  }

  /** Looks at both servers once. Throws if the primary does not answer. */
  async probe(): Promise<void> {
    const { primary, replica, feed, maxLagSeconds } = this.#parts
    const atMs = performance.now()
    const { visibility } = feed
    const one = await readServerPosition(primary)
    this.#primary = one
    this.#samples.add({ position: one.position, atMs, visibility })
    const other = await findReplicaPosition(replica, { position: one.position, waitMs: CATCH_UP_MAX_MS })
    if (other === null) return this.#become({ kind: 'away' })
    if (!isReplicaOf(one, other)) return this.#become({ kind: 'foreign' })
    const nowMs = performance.now()
    const lagMs = other.position >= one.position ? nowMs - atMs : this.#samples.getLagMs(other.position, nowMs)
    this.#become({ kind: lagMs <= maxLagSeconds * 1_000 ? 'usable' : 'behind', lagMs })
  }

  async #readReplica<T>(read: NeededRead, from: ReadFrom<T>): Promise<T> {
    const { replica } = this.#parts
    const isReusable = (error: unknown) => error instanceof NotOnReplicaError
    return await onConnection(replica, async (db) => await from(db, await this.#assertContained(db, read)), isReusable)
  }

  async #findNeededPosition(need: Need): Promise<number> {
    if (need.kind === 'position') return need.position
    if (need.kind === 'everything') return (await readServerPosition(this.#parts.primary)).position
    return 0
  }

  /**
   * Throws `NotOnReplicaError` unless the connection's server contains what a read needs. Returns the moment that it contains
   * where that is not the present.
   */
  async #assertContained(db: Kysely<Database>, { name, need, position }: NeededRead): Promise<Date | null> {
    // Where it was further behind a moment ago, the wait would be in vain.
    const isNear = this.#state.kind === 'usable' && this.#state.lagMs <= CATCH_UP_MAX_MS
    const server = await waitForPosition(db, { position, waitMs: isNear ? CATCH_UP_MAX_MS : 0 })
    if (this.#primary === null || !isReplicaOf(this.#primary, server)) throw new NotOnReplicaError('away')
    if (server.position < position) throw new NotOnReplicaError('behind')
    if (need.kind === 'token') await this.#assertTokenContained(db, need.tokenId)
    if (need.kind !== 'recent') return null
    const { feed, clock, maxLagSeconds } = this.#parts
    const nowMs = performance.now()
    const sinceMs = Math.max(nowMs - maxLagSeconds * 1_000, this.#answeredMs.get(name) ?? 0)
    const containedMs = this.#samples.findContained(server.position, { sinceMs, visibility: feed.visibility })
    if (containedMs === null) throw new NotOnReplicaError('behind')
    return new Date(clock.now().getTime() - (nowMs - containedMs))
  }

  async #assertTokenContained(db: Kysely<Database>, tokenId: number): Promise<void> {
    const { feed } = this.#parts
    // The feed knows of an event that it could not deliver, or that the token is no longer shown.
    if (feed.isBehind(tokenId) || feed.isHidden(tokenId)) throw new NotOnReplicaError('behind')
    const wanted = feed.getSeq(tokenId)
    const { rows } = await withTimeout(
      sql<{ seq: number }>`select seq from pools where token_id = ${tokenId}`.execute(db),
      ANSWER_WITHIN_MS,
    )
    if ((rows[0]?.seq ?? -1) < wanted) throw new NotOnReplicaError('behind')
  }

  async #count<T>({ name }: RoutedRead, target: 'primary' | 'replica', read: Promise<T>): Promise<T> {
    const value = await read
    this.#answeredMs.set(name, performance.now())
    const counts = this.#reads.get(name) ?? { primary: 0, replica: 0 }
    counts[target]++
    this.#reads.set(name, counts)
    return value
  }

  #noteFallback(error: unknown): void {
    const reason = toFallback(error)
    this.#fallbacks[reason]++
    // Callers need not wait for it until the next look.
    if (reason === 'away') this.#become({ kind: 'away' })
  }

  #become(state: ReplicaState): void {
    const { log, maxLagSeconds } = this.#parts
    const before = this.#state.kind
    this.#state = state
    if (state.kind === before) return
    const sentence = describeReplica(state, maxLagSeconds)
    if (state.kind === 'usable') log.info(sentence)
    else log.warn(sentence)
  }
}

/** Whether a read has all that the primary had, so that what it does not find is not there. */
function isWhole({ kind }: Need): boolean {
  return kind === 'everything' || kind === 'position'
}

/** A read, and the position of the primary that its server must have reached. */
type NeededRead = RoutedRead & { readonly position: number }

function toFallback(error: unknown): Fallback {
  if (error instanceof NotOnReplicaError) return error.reason
  if (getSqlState(error) === QUERY_CANCELED) return 'slow'
  if (CONFLICTS.has(getSqlState(error) ?? '')) return 'conflict'
  return error instanceof TimeoutError || isDatabaseUnavailable(error) ? 'away' : 'failed'
}
