import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../src/testing.ts'
import { drawDiagrams, listDrawnTables } from './diagram/draw.ts'
import { readTables, type Table } from './diagram/read-tables.ts'

const page = readFileSync(new URL('../../../docs/database.md', import.meta.url), 'utf8')
const COMMAND = 'run `npm run diagram`'
let tables: Table[] = []

beforeAll(async () => {
  const database = await createTestDatabase()
  tables = await readTables(database.db)
  await database.drop()
})

describe('docs/database.md', () => {
  it('shows every table in one diagram', () => {
    const drawn = listDrawnTables(page)
    const names = tables.map(({ name }) => name)
    const missing = names.filter((name) => !drawn.includes(name))
    expect(missing, `add them to a line "%% tables:" of docs/database.md and ${COMMAND}`).toEqual([])
    expect(drawn.filter((name, i) => !names.includes(name) || drawn.indexOf(name) !== i)).toEqual([])
  })

  it('shows every reference as in a migrated database', () => {
    expect(drawDiagrams(page, tables) === page, `keys changed: ${COMMAND}`).toBe(true)
  })
})
