import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accountEventKinds } from '../../../packages/contract/src/account.ts'
import { root } from '../../lib/project.mjs'
import { hasTest, listNamedTests, listRows, read, readSections } from './pages.mjs'

/** Requirements that an assessment doubted. */
const DOUBTED = [
  ...['1.5.2', '2.4.1', '3.3.1', '3.3.3', '3.4.1', '3.4.3', '4.1.3', '4.4.2', '5.2.1', '5.4.3', '6.1.2', '6.2.1'],
  ...['6.2.2', '6.2.3', '6.2.4', '6.2.11', '6.2.12', '6.3.3', '6.4.3', '6.5.5', '6.6.3', '7.1.1', '7.2.4', '7.3.2'],
  ...['7.4.2', '7.5.2', '11.1.1', '11.1.2', '11.2.3', '12.3.1', '12.3.3', '13.1.1', '13.2.1', '13.2.2', '13.2.3'],
  ...['13.2.4', '13.2.5', '13.3.1', '13.4.5', '14.1.1', '14.2.1', '14.3.2', '15.1.1', '15.1.2', '15.1.3', '15.2.2'],
  ...['16.1.1', '16.2.5', '16.3.1', '16.3.2', '16.3.3', '16.4.3'],
]
const OPEN_MAX = 5
/** Opens a connection to another process. */
const CONNECTS =
  /new pg\.(Pool|Client)|extends pg\.Client|new Redis\(|new Client\(|createTransport\(|fetch\(url|OTLP\w+\(|'node:(https|tls|http2|dgram)'/

const page = read('docs/security.md')
const sections = readSections(page)
const byNumber = (a, b) => a.localeCompare(b, 'en', { numeric: true })
const rowsIn = (section) => listRows(sections.get(section) ?? '')

describe('docs/security.md', () => {
  it('names tests that exist', () => {
    const named = listNamedTests(page)
    expect(named.length).toBeGreaterThan(70)
    expect(named.filter((test) => !hasTest(test))).toEqual([])
  })

  it('has every item that was doubted, held by a test, not applicable, or open; beside what is specified five are open', () => {
    const open = rowsIn('Open')
    const rows = rowsIn('ASVS 5.0: by item')
    const items = [...open, ...rows].flatMap(([item]) => item.match(/\d+\.\d+\.\d+/g))
    expect(items.toSorted(byNumber)).toEqual(DOUBTED)
    expect(rows.filter(([, state]) => !/› |^\[above\]|^not applicable: \S/.test(state))).toEqual([])
    expect(open.filter(([, why]) => !why.startsWith('the specification ')).length).toBeLessThanOrEqual(OPEN_MAX)
  })

  it('names every file that opens a connection', () => {
    const files = globSync(['apps/api/src/**/*.ts', 'packages/{db,engine}/src/**/*.ts'], { cwd: root })
    const connecting = files.filter((file) => !file.includes('/testing') && CONNECTS.test(read(file)))
    const named = rowsIn('Connections').flatMap((cells) => (cells.at(-1) ?? '').match(/[\w/.-]*\/src[\w/.-]*/g) ?? [])
    expect(named.length).toBeGreaterThan(5)
    expect(connecting.filter((file) => !named.some((path) => file.startsWith(path)))).toEqual([])
    expect(named.filter((path) => !connecting.some((file) => file.startsWith(path)))).toEqual([])
  })

  it('has every chapter, with what holds it', () => {
    const rows = rowsIn('ASVS 5.0: by chapter')
    expect(rows.map(([chapter]) => chapter.split(' ')[0])).toEqual(Array.from({ length: 17 }, (_, i) => `V${i + 1}`))
    expect(rows.filter(([, state]) => !/› |\[above\]|^not applicable: \S/.test(state))).toEqual([])
  })

  it('puts every table of the database into a class', () => {
    const [, body] = /^export interface Database \{\n([\s\S]*?)^\}/m.exec(read('packages/db/src/schema.ts'))
    const tables = Array.from(body.matchAll(/^ {2}(\w+):/gm), ([, name]) => name)
    const classified = rowsIn('Classes of data').flatMap((cells) =>
      Array.from(cells.at(-1).matchAll(/`(\w+)`/g), ([, name]) => name),
    )
    expect(tables.length).toBeGreaterThan(20)
    const unclassified = tables.filter((name) => !classified.includes(name))
    expect(unclassified, 'add them to a row of "Classes of data" in docs/security.md').toEqual([])
    expect(classified.filter((name) => !tables.includes(name))).toEqual([])
  })

  it('is found from the README, and says how to report', () => {
    expect(read('README.md')).toContain('(docs/security.md)')
    expect(page).toContain('(../SECURITY.md)')
    expect(existsSync(join(root, 'SECURITY.md'))).toBe(true)
  })
})

describe('every kind of account event', () => {
  it('is named in docs/operations/moderate.md', () => {
    const text = read('docs/operations/moderate.md')
    expect(accountEventKinds.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([])
  })
})
