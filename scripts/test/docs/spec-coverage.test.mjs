import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../lib/project.mjs'
import { listRows, listTestFiles, read, readSections } from './pages.mjs'

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
      const named = listTestFiles(files)
      expect(named.length, section).toBeGreaterThan(0)
      expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
    }
  })

  it('gives a reason for every line without a test', () => {
    const lines = listRows(readSections(page).get('Lines without a test, or implemented differently'))
    expect(lines.filter(([, why = '']) => why.length < 20)).toEqual([])
  })
})
