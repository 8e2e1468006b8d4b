/** Draws the diagrams of docs/database.md from a migrated database: `npm run diagram`, after a migration. */
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from '../../src/client.ts'
import { migrateToLatest } from '../../src/migrate.ts'
import { startTemporaryServer } from '../../src/testing/temporary-server.ts'
import { drawDiagrams } from './draw.ts'
import { readTables } from './read-tables.ts'

const PAGE = new URL('../../../../docs/database.md', import.meta.url)

const server = await startTemporaryServer()
const { db, close } = connect(server.address, { poolMax: 1 })
try {
  await migrateToLatest(db)
  writeFileSync(PAGE, drawDiagrams(readFileSync(PAGE, 'utf8'), await readTables(db)))
} finally {
  await close()
  await server.stop()
}
