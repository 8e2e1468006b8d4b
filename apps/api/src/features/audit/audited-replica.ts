import { bindConnection, type Database, type DatabaseClient, readServerPosition } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { waitForPosition } from '../../database/replica-position.ts'
import { isReplicaOf } from '../../database/replica-state.ts'

/** A replica, and how long an audit waits until it has what the primary had at its begin. */
export interface AuditedReplica {
  readonly client: Pick<DatabaseClient, 'pool'>
  readonly maxLagSeconds: number
}

/** Connections to a replica that contain all that the primary has now. Connecting throws where the replica does not. */
export async function openAuditedReplica(
  primary: Kysely<Database>,
  { client, maxLagSeconds }: AuditedReplica,
): Promise<Pick<pg.Pool, 'connect'>> {
  const one = await readServerPosition(primary)
  const wanted = { position: one.position, waitMs: maxLagSeconds * 1_000 }
  const connect = async () => {
    const connection = await client.pool.connect()
    try {
      const server = await waitForPosition(bindConnection(connection), wanted)
      if (!isReplicaOf(one, server)) throw new Error('READ_DATABASE_URL leads to no replica of the database')
      if (server.position < one.position) throw new Error(`the replica is more than ${maxLagSeconds} s behind`)
      return connection
    } catch (error) {
      connection.release(true)
      throw error
    }
  }
  return { connect } as Pick<pg.Pool, 'connect'>
}
