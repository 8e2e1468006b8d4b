import { connect } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { createTestServer, type TestServer, type Visitor } from './test-server.ts'

/**
 * Two servers on one database, without Redis. Each learns from the journal what the other did. Background jobs run only
 * when a test starts them.
 */
export interface TwoNodes {
  readonly nodes: readonly [TestServer, TestServer]
  close(): Promise<void>
}

export async function startTwoNodes(env: Record<string, string> = {}): Promise<TwoNodes> {
  const database = await createTestDatabase()
  const start = () => {
    const pool = connect(database.address, { poolMax: 12 })
    const own = { ...database, ...pool, drop: () => pool.close() }
    return createTestServer({ database: own, env: { DATABASE_URL: database.connectionString, ...env } })
  }
  const [one, other] = [await start(), await start()]
  return {
    nodes: [one, other],
    close: async () => {
      await other.close()
      await one.close()
      await database.drop()
    },
  }
}

/** Returns a visitor at another node with the cookies of this player's browser. */
export function at(node: TestServer, player: Visitor): Visitor {
  const same = node.visitor()
  same.cookie = player.cookie
  for (const [name, cookie] of player.cookies) same.cookies.set(name, cookie)
  return same
}
