import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { BackgroundRead } from '../../../cache/background-read.ts'
import { inSnapshot } from '../../../database/snapshot.ts'
import type { Boards } from '../../../players/boards.ts'
import { prepareRanking } from '../store.ts'
import { computeBoards } from './compute-boards.ts'

/** Reads all trades there ever were, in the background. */
const STATEMENT_TIMEOUT_MS = 120_000

/** The boards over all time, computed again at most once a minute, and only while somebody looks at them. */
export function createBoards({ db, log }: { db: Kysely<Database>; log: Logger }): BackgroundRead<Boards> {
  return new BackgroundRead({
    read: () =>
      inSnapshot(db, async (snapshot) => {
        await prepareRanking(snapshot, STATEMENT_TIMEOUT_MS)
        return await computeBoards(snapshot)
      }),
    onError: (error) => log.warn({ err: error }, 'the boards could not be recomputed; serving the last ones'),
  })
}
