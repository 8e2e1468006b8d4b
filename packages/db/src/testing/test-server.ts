import type { DatabaseAddress } from '../client.ts'

/** The server that all tests of one run share. */
export interface TestServer {
  /** A database from which others may be made and dropped. */
  readonly admin: DatabaseAddress
  /** The migrated database that is copied. */
  readonly template: string
  /** Names of this run's databases begin with it. */
  readonly prefix: string
}

/** Workers and the servers that tests spawn are other processes: the environment reaches them all. */
const variable = 'PAPERMOON_TEST_SERVER'

/** Makes the server known to this process and those it starts. */
export function publishTestServer(server: TestServer): void {
  process.env[variable] = JSON.stringify(server)
}

/** Throws when no global setup published one. */
export function readTestServer(): TestServer {
  const text = process.env[variable]
  if (!text) throw new Error('There is no test server: add @papermoon/db/testing/global-setup to globalSetup.')
  return JSON.parse(text) as TestServer
}
