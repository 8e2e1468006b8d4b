import { auditMarket, type Server, startServerWith } from '@papermoon/api/testing'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'

/** A real server with its own database. */
export interface TestMarket extends Server {
  readonly database: TestDatabase
  /** Trades of all players so far. */
  countTrades(): Promise<number>
  /** What the audit of the whole journal finds wrong. */
  audit(): Promise<readonly string[]>
}

export async function startMarket(): Promise<TestMarket> {
  const database = await createTestDatabase({ poolMax: 2 })
  const server = await startServerWith(database.connectionString)
  return {
    ...server,
    database,
    countTrades: async () => {
      const { count } = await database.db
        .selectFrom('trades')
        .select((select) => select.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    audit: async () => (await auditMarket(database.pool)).shown,
    remove: async () => {
      await server.remove()
      await database.drop()
    },
  }
}
