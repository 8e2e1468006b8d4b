// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import {
  draftProblems,
  EMPTY_DRAFT,
  exceedsBalance,
  firstProblem,
  readDraft,
  storeDraft,
  toLaunch,
} from '../../src/features/launch/draft.ts'

const draft = { ...EMPTY_DRAFT, name: 'Moon', symbol: 'MOON' }

describe('a launch draft', () => {
  it('completes links, however they were typed', () => {
    expect(toLaunch({ ...draft, website: ' moon.example/a ', x: 'http://x.com/m', telegram: ' ' })).toEqual({
      name: 'Moon',
      symbol: 'MOON',
      emoji: EMPTY_DRAFT.emoji,
      website: 'https://moon.example/a',
      x: 'http://x.com/m',
    })
  })

  it('finds no problem if the server finds none', () => {
    expect(draftProblems({ ...draft, website: 'moon.example', x: 'https://x.com/m' })).toEqual({})
  })

  it.each(['javascript:alert(1)', 'ftp://moon.example', '@moon', 'two words.example', 'https://me:pw@moon.example'])(
    'says at the field that %s is not a link',
    (x) => {
      const problems = draftProblems({ ...draft, x })
      expect(problems).toEqual({ x: expect.stringContaining('Enter a web address') })
      expect(firstProblem(problems)).toBe('x')
    },
  )

  it.each([
    ['x', 'moon.example', 'Enter a link to x.com or twitter.com'],
    ['x', 'x.com.moon.example', 'Enter a link to x.com or twitter.com'],
    ['telegram', 'https://x.com/moon', 'Enter a link to t.me or telegram.me'],
  ] as const)('says at %s that %s leads elsewhere', (field, link, problem) => {
    expect(draftProblems({ ...draft, [field]: link })).toEqual({ [field]: problem })
  })

  it('accepts all URLs of X and Telegram', () => {
    for (const x of ['x.com/m', 'https://www.x.com/m', 'mobile.twitter.com/m']) {
      expect(draftProblems({ ...draft, x, telegram: 'moon.t.me' })).toEqual({})
    }
  })

  it('rejects a link that becomes too long', () => {
    const website = `moon.example/${'a'.repeat(187)}`
    expect(website).toHaveLength(200)
    expect(draftProblems({ ...draft, website }).website).toContain('at most 200')
  })

  it('focuses the first invalid field', () => {
    expect(firstProblem(draftProblems({ ...EMPTY_DRAFT, x: '@moon' }))).toBe('name')
    expect(firstProblem(draftProblems({ ...draft, symbol: ' ' }))).toBe('symbol')
    expect(firstProblem({})).toBeNull()
  })

  it('includes its fee in the price, beside the first buy', () => {
    expect(exceedsBalance('', '0.02')).toBe(false)
    expect(exceedsBalance('', '0.019999999')).toBe(true)
    expect(exceedsBalance('99.98', '100')).toBe(false)
    expect(exceedsBalance('99.980000001', '100')).toBe(true)
  })
})

describe('a stored draft', () => {
  const kept = { ...EMPTY_DRAFT, name: 'Moon', symbol: 'MOON', initialBuyAmount: '1.5' }

  it('is the same after every reload', () => {
    storeDraft(kept)
    expect([readDraft(), readDraft()]).toEqual([kept, kept])
  })

  it('belongs to its fair', () => {
    storeDraft(kept)
    storeDraft({ ...kept, name: 'Fair Moon' }, 4)
    expect([undefined, 4, 5].map((fairId) => readDraft(fairId).name)).toEqual(['Moon', 'Fair Moon', ''])
  })

  it.each(['{', 'null', '[]', '"Moon"', '7'])('is empty if %s is stored', (text) => {
    sessionStorage.setItem('papermoon-launch-draft', text)
    expect(readDraft()).toEqual(EMPTY_DRAFT)
  })

  it('has only fields that are text and not too long', () => {
    const stored = { ...kept, name: 7, symbol: { length: 1 }, description: 'x'.repeat(501), more: 'x' }
    sessionStorage.setItem('papermoon-launch-draft', JSON.stringify(stored))
    expect(readDraft()).toEqual({ ...EMPTY_DRAFT, initialBuyAmount: '1.5' })
  })
})
