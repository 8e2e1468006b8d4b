import type { Sol } from '@papermoon/amm'
import type { UserId } from '@papermoon/engine'

/** A place among the best, with the exact profit. */
export interface Standing {
  readonly userId: UserId
  /** SOL. */
  readonly profit: Sol
  readonly trades: number
}

/** Everybody with a profit in the last six hours, as of one moment. */
export interface Standings {
  readonly at: Date
  /** The ranked span; `until` is right after the moment. */
  readonly span: { readonly since: Date; readonly until: Date }
  /** The best, exactly ranked. */
  readonly best: readonly Standing[]
  /** All players with a profit, the largest first. Beyond the best, profits within 0.000001 SOL count as equal. */
  readonly places: Int32Array
}

/** The standings that the leaderboard was last computed from; 400 kB with 100,000 winners. */
export interface LastStandings {
  current: Standings | null
}
