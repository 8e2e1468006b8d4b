import type { ServerPosition } from '@papermoon/db'

/** Whether reads may go to a replica, and how far it is behind. */
export type ReplicaState =
  | { readonly kind: 'unknown' | 'away' | 'foreign' }
  | { readonly kind: 'usable' | 'behind'; readonly lagMs: number }

/** Where the primary was at a moment. */
interface Sample {
  readonly position: number
  /** Of the monotonic clock, before the position was read. */
  readonly atMs: number
  /** The feed's count of changes without an event: all up to this one are before the position. */
  readonly visibility: number
}

/**
 * The positions of the primary over the last seconds. They tell how far a replica is behind without comparing clocks, and
 * while nothing is written.
 */
export class PositionSamples {
  readonly #keptMs: number
  #samples: Sample[] = []

  /** `keptMs`: a replica that is further behind counts as that far. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  add(sample: Sample): void {
    // After a failover to a server that had received less, or a restored copy.
    if ((this.#samples.at(-1)?.position ?? 0) > sample.position) this.#samples = []
    this.#samples = [...this.#samples.filter(({ atMs }) => atMs >= sample.atMs - this.#keptMs), sample]
  }

  /** How far a server at `position` is behind: 0 if it has all that the last sample saw; infinite beyond all samples. */
  getLagMs(position: number, nowMs: number): number {
    const last = this.#samples.at(-1)
    if (last === undefined) return Number.POSITIVE_INFINITY
    if (position >= last.position) return 0
    const contained = this.#samples.findLast((sample) => sample.position <= position)
    return contained === undefined ? Number.POSITIVE_INFINITY : nowMs - contained.atMs
  }

  /**
   * When the newest sample was taken that a server at `position` contains, if that was not before `sinceMs` and saw
   * `visibility`; else null.
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
