import { describe, expect, it } from 'vitest'
import { listRows, pages, read } from './pages.mjs'

const decisions = pages.filter((page) => /^docs\/decisions\/\d/.test(page))
const index = listRows(read('docs/decisions/README.md'))

describe('the decisions', () => {
  it('have a number each, and one that is gone is named by the page that replaces it', () => {
    const numbers = decisions.map((page) => Number(/\/(\d{3})-/.exec(page)?.[1]))
    expect(new Set(numbers).size).toBe(decisions.length)
    const replaced = decisions.flatMap((page) => [
      ...(/Replaces ([^.]+)\./.exec(read(page))?.[1] ?? '').matchAll(/\b\d{3}\b/g),
    ])
    const all = [...numbers, ...replaced.map(Number)].sort((a, b) => a - b)
    expect(all).toEqual(all.map((_, i) => i + 1))
  })

  it.each(decisions)('%s has a status, a date and its row in the index', (page) => {
    const [, number, title] = /^# (\d{3}) (.+)$/m.exec(read(page)) ?? []
    const [, status, date] = /^(Accepted|Superseded by .+), (\d{4}-\d{2}-\d{2})\./m.exec(read(page)) ?? []
    const row = index.find(([link]) => link === `[${number}](${page.split('/').at(-1)})`)
    expect(row, `add a row to docs/decisions/README.md: | [${number}](…) | ${title} | … |`).toBeDefined()
    expect(row.slice(1)).toEqual([title, expect.stringContaining(String(status).toLowerCase()), date])
  })
})
