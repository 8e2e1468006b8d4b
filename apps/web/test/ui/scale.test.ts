import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '../../src')
const sheets = globSync('**/*.css', { cwd: SOURCE }).map((file) => readFileSync(join(SOURCE, file), 'utf8'))
const rules = sheets.join('\n').replaceAll(/\/\*[\s\S]*?\*\//g, '')

describe('the style sheets use one scale', () => {
  it.each([
    ['font sizes', 'font-size', 10],
    ['gaps', '(?:row-|column-)?gap', 10],
    ['paddings', 'padding(?:-[a-z]+)*', 20],
    ['layers', 'z-index', 5],
  ])('with few distinct %s', (_, property, max) => {
    expect(listValues(property).length).toBeLessThanOrEqual(max)
  })

  it('and are short enough to read', () => {
    expect(sheets.join('').split('\n').length).toBeLessThanOrEqual(8_000)
  })
})

/** Returns the distinct values of a property. */
function listValues(property: string): string[] {
  const found = rules.matchAll(new RegExp(`(?<![\\w-])${property}:\\s*([^;{}]+);`, 'g'))
  return [...new Set(Array.from(found, ([, value = '']) => value.replaceAll(/\s+/g, ' ')))]
}
