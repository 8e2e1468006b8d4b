import pg from 'pg'
import type { DatabaseAddress } from '../client.ts'

const CONNECT_MAX_MS = 10_000

/** Runs `work` on a connection of its own, whose statements may take hours. */
export async function withClient<T>(
  options: DatabaseAddress & { readonly replication?: 'true' },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const own = { application_name: 'papermoon-backup', keepAlive: true, connectionTimeoutMillis: CONNECT_MAX_MS }
  const client = new pg.Client({ ...options, ...own })
  // A broken connection is reported by its statement.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
