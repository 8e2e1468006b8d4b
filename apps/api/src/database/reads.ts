import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'

/** Names of reads in the metrics. */
export type ReadName =
  | 'portfolio history'
  | 'leaderboard'
  | 'bots league'
  | 'boards'
  | 'top three'
  | 'export'
  | 'chart'
  | 'past'

/**
 * What a read must contain to be answered by a replica:
 * - `everything`: all that was committed before the call;
 * - `position`: all that was committed before a position of the WAL, from `Reads.mark`;
 * - `token`: the token's events that this node has delivered;
 * - `recent`: all but the last seconds, yet never less than the last answer of the same name.
 */
export type Need =
  | { readonly kind: 'everything' | 'recent' }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'token'; readonly tokenId: number }

export interface RoutedRead {
  readonly name: ReadName
  readonly need: Need
}

/**
 * Reads `db`. `asOf` is the moment whose commits a replica surely contains, where that is not the present; null otherwise.
 * May run twice, first on a replica and then on the primary.
 */
export type ReadFrom<T> = (db: Kysely<Database>, asOf: Date | null) => Promise<T>

/** Chooses a server for each expensive read. Never for orders, their repeats, or published heads. */
export interface Reads {
  run<T>(read: RoutedRead, from: ReadFrom<T>): Promise<T>
  /** The need of a read in several steps that must contain all that was committed before it began. */
  mark(): Promise<Need>
}

/** Reads without a replica. */
export function readPrimary(db: Kysely<Database>): Reads {
  return { run: async (_read, from) => await from(db, null), mark: async () => ({ kind: 'everything' }) }
}
