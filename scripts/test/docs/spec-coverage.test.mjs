import { describe, expect, it } from 'vitest'
import { hasTest, listNamedTests, read } from './pages.mjs'

const SECTIONS = 9

const page = read('docs/spec-coverage.md')
const sections = page.split(/^## (?=\d\. )/m).slice(1)
const lines = sections.flatMap((section) => section.split('\n').filter((line) => /^\| (?!line \|)/.test(line)))

describe('docs/spec-coverage.md', () => {
  it('has every section of the specification', () => {
    const numbers = sections.map((section) => Number.parseInt(section, 10))
    expect(numbers).toEqual(Array.from({ length: SECTIONS }, (_, i) => i + 1))
  })

  it('says of every line which test holds it, or why there is none', () => {
    expect(lines.filter((line) => !/› |\| no test: \S/.test(line))).toEqual([])
    expect(lines.length).toBeGreaterThan(100)
  })

  it('names tests that exist', () => {
    const named = listNamedTests(page)
    expect(named.length).toBeGreaterThan(lines.length)
    expect(named.filter((test) => !hasTest(test))).toEqual([])
  })
})
