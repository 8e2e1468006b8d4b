import { randomBytes } from 'node:crypto'
import { connect } from '../client.ts'
import { migrateToLatest } from '../migrate.ts'
import { asAdmin, withDatabase } from './admin.ts'
import { startTemporaryServer } from './temporary-server.ts'
import { publishTestServer, type TestServer } from './test-server.ts'

/**
 * Global setup of a test run for Vitest and Playwright: one PostgreSQL for the whole run, with a migrated template
 * database. Uses the server of DATABASE_URL if this is set, whose user must be allowed to create databases; otherwise
 * an embedded one in a temporary folder. Returns the teardown of the run.
 */
export async function setup(): Promise<() => Promise<void>> {
  const connectionString = process.env.DATABASE_URL
  const temporary = connectionString ? undefined : await startTemporaryServer()
  const admin = temporary?.address ?? { connectionString: connectionString ?? '' }
  const prefix = `papermoon_test_${randomBytes(4).toString('hex')}`
  const server = { admin, prefix, template: `${prefix}_template` }
  await makeTemplate(server)
  publishTestServer(server)
  return async () => {
    if (temporary) await temporary.stop()
    else await dropAll(server)
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest and Playwright require a default export.
export default setup

async function makeTemplate({ admin, template }: TestServer): Promise<void> {
  await asAdmin(admin, (client) => client.query(`create database ${template} template template0 encoding 'UTF8'`))
  const address = withDatabase(admin, template)
  const client = connect(address, { poolMax: 1 })
  try {
    await migrateToLatest(client.db)
  } finally {
    await client.close()
  }
  // The first connection after the migrations leaves a file for all later ones, including those to copies.
  await asAdmin(address, (client) => client.query('select 1'))
}

async function dropAll({ admin, prefix }: TestServer): Promise<void> {
  await asAdmin(admin, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  })
}
