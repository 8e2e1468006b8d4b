import type { ServerPosition } from '@papermoon/db'

/** Whether reads may go to a replica, and how far it is behind. */
export type ReplicaState =
  | { readonly kind: 'unknown' | 'away' | 'foreign' }
  | { readonly kind: 'usable' | 'behind'; readonly lagMs: number }

/** A WAL position of the primary and when it was read. */
interface Sample {
  readonly position: number
  /** Monotonic clock, taken before the position was read. */
  readonly atMs: number
  /** The feed's counter of changes without an event; `position` includes every change counted here. */
  readonly visibility: number
}

/**
 * Recent WAL positions of the primary. They give a replica's lag without comparing clocks, also while nothing is
 * written.
 */
export class PositionSamples {
  readonly #keptMs: number
  #samples: Sample[] = []

  /** Samples older than `keptMs` are dropped; a replica behind all of them has infinite lag. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  add(sample: Sample): void {
    // After a failover to a server that had received less, or a restored copy.
    if ((this.#samples.at(-1)?.position ?? 0) > sample.position) this.#samples = []
    this.#samples = [...this.#samples.filter(({ atMs }) => atMs >= sample.atMs - this.#keptMs), sample]
  }

  /** Lag of a server at `position`: 0 if it contains the newest sample, infinite if it is behind the oldest. */
  getLagMs(position: number, nowMs: number): number {
    const last = this.#samples.at(-1)
    if (last === undefined) return Number.POSITIVE_INFINITY
    if (position >= last.position) return 0
    const contained = this.#samples.findLast((sample) => sample.position <= position)
    return contained === undefined ? Number.POSITIVE_INFINITY : nowMs - contained.atMs
  }

  /**
   * Time of the newest sample that a server at `position` contains; null if it is older than `sinceMs` or has another
   * `visibility`.
   */
  findContained(position: number, { sinceMs, visibility }: { sinceMs: number; visibility: number }): number | null {
    const newest = this.#samples.findLast((sample) => sample.position <= position)
    return newest !== undefined && newest.atMs >= sinceMs && newest.visibility === visibility ? newest.atMs : null
  }
}

/** Whether both servers have the same data and one of them replays it. */
export function isReplicaOf(primary: ServerPosition, other: ServerPosition): boolean {
  return other.isReplica && other.systemId === primary.systemId
}

/** One sentence for the log and for `npm run admin -- replica`. */
export function describeReplica(state: ReplicaState, maxLagSeconds: number): string {
  if (!('lagMs' in state)) return sentences[state.kind]
  const lag = Number.isFinite(state.lagMs) ? `${(state.lagMs / 1_000).toFixed(1)} s` : `more than ${maxLagSeconds} s`
  return state.kind === 'usable'
    ? `The replica of READ_DATABASE_URL is ${lag} behind: history, leaderboards, exports and old charts are read there.`
    : `The replica of READ_DATABASE_URL is ${lag} behind, and READ_MAX_LAG_SECONDS allows ${maxLagSeconds} s: its reads go to the primary until it has caught up.`
}

const sentences = {
  unknown: 'The replica of READ_DATABASE_URL has not been asked yet: its reads go to the primary.',
  away: 'The replica of READ_DATABASE_URL cannot be reached: its reads go to the primary until it is back.',
  foreign: 'READ_DATABASE_URL leads to no replica of the database of DATABASE_URL: all reads go to the primary.',
}
