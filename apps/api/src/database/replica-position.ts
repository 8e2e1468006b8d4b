import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  type DatabaseClient,
  onConnection,
  readServerPosition,
  type ServerPosition,
  withTimeout,
} from '@papermoon/db'
import type { Kysely } from 'kysely'
import { isReplicaOf, type ReplicaState } from './replica-state.ts'

/** A replica that takes longer for its position counts as away. */
const ANSWER_WITHIN_MS = 1_000
/** The same with a new connection. */
const CONNECT_WITHIN_MS = 3_000
const POLL_MS = 10

/** A server's position once it has reached `position`, or after `waitMs`. */
export async function waitForPosition(
  db: Kysely<Database>,
  { position, waitMs }: { readonly position: number; readonly waitMs: number },
): Promise<ServerPosition> {
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    const server = await withTimeout(readServerPosition(db), ANSWER_WITHIN_MS)
    if (server.position >= position || !server.isReplica || performance.now() >= giveUpAt) return server
    await sleep(POLL_MS)
  }
}

/** Like `waitForPosition`, on a separate connection; null if the server does not answer. */
export async function findReplicaPosition(
  replica: Pick<DatabaseClient, 'pool'>,
  wanted: { readonly position: number; readonly waitMs: number },
): Promise<ServerPosition | null> {
  const read = onConnection(replica, (db) => waitForPosition(db, wanted))
  return await withTimeout(read, wanted.waitMs + CONNECT_WITHIN_MS).catch(() => null)
}

/** Measures by one look how far a replica is behind: how long it takes to reach what the primary has now. */
export async function measureReplica(
  primary: Kysely<Database>,
  replica: Pick<DatabaseClient, 'pool'>,
  maxLagSeconds: number,
): Promise<ReplicaState> {
  const startMs = performance.now()
  const one = await readServerPosition(primary)
  const other = await findReplicaPosition(replica, { position: one.position, waitMs: maxLagSeconds * 1_000 })
  if (other === null) return { kind: 'away' }
  if (!isReplicaOf(one, other)) return { kind: 'foreign' }
  if (other.position < one.position) return { kind: 'behind', lagMs: Number.POSITIVE_INFINITY }
  return { kind: 'usable', lagMs: performance.now() - startMs }
}
