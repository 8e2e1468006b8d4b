import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listRows, read, readSections, toTestPath } from './pages.mjs'

const SECTIONS = 9

const page = read('docs/spec-coverage.md')
const rows = listRows(page.split('\n## ')[0])

describe('docs/spec-coverage.md', () => {
  it('has every section of the specification', () => {
    const numbers = new Set(rows.map(([section]) => Number.parseInt(section, 10)))
    expect([...numbers]).toEqual(Array.from({ length: SECTIONS }, (_, i) => i + 1))
  })

  it('names test files that exist', () => {
    for (const [section, files] of rows) {
      const named = Array.from(files.matchAll(/`(\w+)\/([\w/-]+)`/g), ([, group, file]) => ({ group, file }))
      expect(named.length, section).toBeGreaterThan(0)
      expect(named.filter((test) => !existsSync(toTestPath(test)))).toEqual([])
    }
  })

  it('says of every line without a test why there is none', () => {
    const lines = listRows(readSections(page).get('Lines without a test, or held otherwise'))
    expect(lines.filter(([, why = '']) => why.length < 20)).toEqual([])
  })
})
