import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accountEventKinds } from '../../../packages/contract/src/account.ts'
import { root } from '../../lib/project.mjs'
import { listRows, listTestFiles, read, readSections } from './pages.mjs'

/** The tests of access, accounts and sign-in. The page must name all of them. */
const SECURITY_TESTS = 'apps/api/test/{security,http/security,account,accounts}/**/*.test.ts'
/** Matches code that opens a connection to another process. */
const CONNECTS =
  /new pg\.(Pool|Client)|extends pg\.Client|new Redis\(|new Client\(|createTransport\(|fetch\(url|OTLP\w+\(|'node:(https|tls|http2|dgram)'/

const page = read('docs/security.md')
const sections = readSections(page)
const rowsIn = (section) => listRows(sections.get(section) ?? '')

describe('docs/security.md', () => {
  it('names test files that exist, and every security test', () => {
    const named = listTestFiles(sections.get('Controls'))
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
    const missing = globSync(SECURITY_TESTS, { cwd: root }).filter((file) => !named.includes(file))
    expect(missing, 'name them in "Controls" of docs/security.md').toEqual([])
  })

  it('has every chapter of ASVS, with test files or the reason why it is not applicable', () => {
    const rows = rowsIn('Controls')
    expect(rows.map(([chapter]) => chapter.split(' ')[0])).toEqual(Array.from({ length: 17 }, (_, i) => `V${i + 1}`))
    const untested = rows.filter(([, , files = '']) => listTestFiles(files).length === 0)
    expect(untested.filter(([, control]) => !/^not applicable: \S/.test(control))).toEqual([])
  })

  it('names every file that opens a connection', () => {
    const files = globSync(['apps/api/src/**/*.ts', 'packages/{db,engine}/src/**/*.ts'], { cwd: root })
    const connecting = files.filter((file) => !file.includes('/testing') && CONNECTS.test(read(file)))
    const named = rowsIn('Connections').flatMap((cells) => (cells.at(-1) ?? '').match(/[\w/.-]*\/src[\w/.-]*/g) ?? [])
    expect(named.length).toBeGreaterThan(5)
    expect(connecting.filter((file) => !named.some((path) => file.startsWith(path)))).toEqual([])
    expect(named.filter((path) => !connecting.some((file) => file.startsWith(path)))).toEqual([])
  })

  it('assigns every table of the database to a class', () => {
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

  it('is linked from the README, and says how to report', () => {
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
