import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { pino } from 'pino'
import { buildApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'

/** The whole server, listening, on a fresh database. */
export interface ListeningServer {
  readonly url: string
  readonly database: TestDatabase
  close(): Promise<void>
}

export async function startListeningServer(): Promise<ListeningServer> {
  const database = await createTestDatabase()
  const config = readConfig({ RATE_LIMIT: 'off' })
  const { fastify } = await buildApp({ config, database, log: pino({ level: 'silent' }) })
  const url = await fastify.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    database,
    close: async () => {
      await fastify.close()
      await database.drop()
    },
  }
}
