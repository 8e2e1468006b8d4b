import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accountEventKinds } from '../../src/security/accounts/events.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
/** Where the tests that the page names are. */
const FOLDERS: Readonly<Record<string, readonly [folder: string, ending: string]>> = {
  api: ['apps/api/test', 'test.ts'],
  e2e: ['apps/e2e/tests', 'spec.ts'],
  scripts: ['scripts/test', 'test.mjs'],
}
const FAILED = [
  ...['1.5.2', '2.4.1', '3.3.1', '3.3.3', '4.1.3', '4.4.2', '5.2.1', '5.4.3', '6.1.2', '6.2.1', '6.2.2', '6.2.3'],
  ...['6.2.4', '6.2.11', '6.2.12', '6.3.3', '6.5.5', '6.6.3', '7.1.1', '7.3.2', '7.4.2', '7.5.2', '11.1.1', '11.1.2'],
  ...['13.2.2', '13.2.3', '13.3.1', '14.1.1', '14.3.2', '15.1.1', '15.1.2', '15.2.2', '16.1.1', '16.3.1', '16.3.2'],
  '16.3.3',
]
const OPEN_MAX = 5

const page = read('docs/security.md')
const sections = new Map(page.split(/^## /m).map((text) => [text.split('\n')[0] ?? '', text]))
const rowsOf = (section: string) =>
  (sections.get(section) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '))
const named = [...page.matchAll(/`(api|e2e|scripts)\/([\w/-]+)` › (.+?)(?=<br>| \||$)/gm)].map(
  ([, group = '', file = '', title = '']) => ({ group, file, title }),
)

describe('docs/security.md', () => {
  it('names tests that there are', () => {
    expect(named.length).toBeGreaterThan(70)
    expect(named.filter((test) => !isThere(test))).toEqual([])
  })

  it('has every item that failed, held by a test, not applicable, or open; at most five are open', () => {
    const rows = rowsOf('ASVS 5.0: what failed in the last assessment')
    expect(rows.map(([item = '']) => item.split(' ')[0])).toEqual(FAILED)
    const held = /› |^\[above\]|^not applicable: \S|^open: \S/
    expect(rows.filter(([, state = '']) => !held.test(state))).toEqual([])
    const open = rows.filter(([, state = '']) => state.startsWith('open: '))
    expect(open.length).toBeLessThanOrEqual(OPEN_MAX)
  })

  it('has every chapter, with what holds it', () => {
    const rows = rowsOf('ASVS 5.0: by chapter')
    expect(rows.map(([chapter = '']) => chapter.split(' ')[0])).toEqual(
      Array.from({ length: 17 }, (_, i) => `V${i + 1}`),
    )
    expect(rows.filter(([, state = '']) => !/› |\[above\]|^not applicable: \S/.test(state))).toEqual([])
  })

  it('puts every table of the database into a class', () => {
    const [, body = ''] = /^export interface Database \{\n([\s\S]*?)^\}/m.exec(read('packages/db/src/schema.ts')) ?? []
    const tables = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
    const classified = rowsOf('Classes of data').flatMap((cells) =>
      [...(cells.at(-1) ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    )
    expect(tables.length).toBeGreaterThan(20)
    expect([...new Set(classified)].sort()).toEqual(tables.sort())
  })

  it('names every kind of account event', () => {
    const logs = sections.get('Logs') ?? ''
    expect(accountEventKinds.filter((kind) => !logs.includes(`\`${kind}\``))).toEqual([])
  })

  it('is found from the README, and says how to report', () => {
    expect(read('README.md')).toContain('(docs/security.md)')
    expect(page).toContain('(../SECURITY.md)')
    expect(existsSync(join(ROOT, 'SECURITY.md'))).toBe(true)
  })
})

function isThere({ group, file, title }: (typeof named)[number]): boolean {
  const [folder, ending] = FOLDERS[group] ?? ['', '']
  const path = join(ROOT, folder, `${file}.${ending}`)
  return existsSync(path) && titleIn(title).test(readFileSync(path, 'utf8'))
}

/** A text between quotes. */
function titleIn(title: string): RegExp {
  return new RegExp(`(['"\`])${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\1`)
}
