import { BackgroundRead } from '../../../cache/background-read.ts'
import type { Platform } from '../../../context.ts'
import { perDatabase } from '../../../database/per-database.ts'
import { inSnapshot } from '../../../database/snapshot.ts'
import { prepareRanking } from '../store.ts'
import { type Boards, computeBoards } from './compute-boards.ts'

/** Reads all trades there ever were, in the background. */
const STATEMENT_TIMEOUT_MS = 120_000

/** The boards over all time, computed again at most once a minute, and only while somebody looks at them. */
export const getBoards = perDatabase(
  ({ db, log }: Pick<Platform, 'db' | 'log'>) =>
    new BackgroundRead<Boards>({
      read: () =>
        inSnapshot(db, async (snapshot) => {
          await prepareRanking(snapshot, STATEMENT_TIMEOUT_MS)
          return await computeBoards(snapshot)
        }),
      onError: (error) => log.warn({ err: error }, 'the boards could not be recomputed; serving the last ones'),
    }),
)
