import type { DatabaseAddress } from '../client.ts'

/** The server that all tests of a run share. */
export interface TestServer {
  /** A database from which others can be created and dropped. */
  readonly admin: DatabaseAddress
  /** Name of the migrated database to copy. */
  readonly template: string
  /** Prefix of this run's database names. */
  readonly prefix: string
}

/** An environment variable reaches all processes of a run: workers, and servers that tests start. */
const variable = 'PAPERMOON_TEST_SERVER'

export function publishTestServer(server: TestServer): void {
  process.env[variable] = JSON.stringify(server)
}

/** Throws if no global setup has published a server. */
export function readTestServer(): TestServer {
  const text = process.env[variable]
  if (!text) throw new Error('There is no test server: add @papermoon/db/testing/global-setup to globalSetup.')
  return JSON.parse(text) as TestServer
}
