import { describe, expect, it } from 'vitest'
import { listRows, pages, read } from './pages.mjs'

const decisions = pages.filter((page) => /^docs\/decisions\/\d/.test(page))
const index = listRows(read('docs/decisions/README.md'))

describe('the decisions', () => {
  it('have a number each, and the index says where the reasons of a decision without a page are', () => {
    const numbers = decisions.map((page) => Number(/\/(\d{3})-/.exec(page)?.[1]))
    const [, gone = ''] = /Numbers without a page[^:]*:([\s\S]+)/.exec(read('docs/decisions/README.md')) ?? []
    const without = gone.replaceAll(/\]\([^)]*\)/g, '').match(/\b\d{3}\b/g) ?? []
    const all = [...new Set([...numbers, ...without.map(Number)])].sort((a, b) => a - b)
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
