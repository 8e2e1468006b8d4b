import pg from 'pg'
import type { DatabaseAddress } from '../client.ts'

/** Runs `work` on a connection to a database that exists before and after it. */
export async function asAdmin<Result>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...address })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns the address of another database on the same server. */
export function withDatabase(address: DatabaseAddress, database: string): DatabaseAddress {
  if (!('connectionString' in address)) return { ...address, database }
  const url = new URL(address.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}
