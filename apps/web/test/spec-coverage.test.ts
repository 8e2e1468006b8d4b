import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const SECTIONS = 9
/** Where the tests that the page names are. */
const FOLDERS: Readonly<Record<string, readonly [folder: string, ending: string]>> = {
  e2e: ['apps/e2e/tests', 'spec.ts'],
  web: ['apps/web/test', 'test.ts'],
  api: ['apps/api/test', 'test.ts'],
  format: ['packages/format/test', 'test.ts'],
  amm: ['packages/amm/test', 'test.ts'],
  live: ['packages/live/test', 'test.ts'],
}

const page = readFileSync(join(ROOT, 'docs/spec-coverage.md'), 'utf8')
const sections = page.split(/^## (?=\d\. )/m).slice(1)
const lines = sections.flatMap((section) => section.split('\n').filter((line) => /^\| (?!line \|)/.test(line)))
const named = [...page.matchAll(/`(\w+)\/([\w/-]+)` › (.+?)(?=<br>| \||\)|: for each|$)/gm)].map(
  ([, group = '', file = '', title = '']) => ({ group, file, title }),
)

describe('the list of what the specification says', () => {
  it('has every section', () => {
    expect(sections.map((section) => Number.parseInt(section, 10))).toEqual(
      Array.from({ length: SECTIONS }, (_, i) => i + 1),
    )
  })

  it('says of every line which test holds it, or why there is none', () => {
    const silent = lines.filter((line) => !/› |\| no test: \S/.test(line))
    expect(silent).toEqual([])
    expect(lines.length).toBeGreaterThan(100)
  })

  it('names tests that there are', () => {
    expect(named.length).toBeGreaterThan(lines.length)
    expect(named.filter((test) => !isThere(test))).toEqual([])
  })
})

function isThere({ group, file, title }: (typeof named)[number]): boolean {
  const [folder, ending] = FOLDERS[group] ?? ['', '']
  const path = join(ROOT, folder, `${file}.${ending}`)
  return existsSync(path) && titleIn(title).test(readFileSync(path, 'utf8'))
}

/** A text between quotes; `…` stands for what a template puts there. */
function titleIn(title: string): RegExp {
  const pieces = title.split('…').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(['"\`])${pieces.join('.*')}\\1`)
}
