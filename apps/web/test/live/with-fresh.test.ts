import { token } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import type { Token, TokenId } from '../../src/lib/api/api.ts'
import { withFresh } from '../../src/lib/market/market-queries.ts'

const listing = { sort: 'newest', limit: 2 } as const
const of = (...ids: number[]): Token[] => ids.map((id) => token({ id: id as TokenId, createdAt: toTime(id) }))
const toTime = (id: number) => `2026-01-01T00:00:0${id}.000Z`
const pages = [
  { tokens: of(6, 5), nextCursor: 'a' },
  { tokens: of(4, 3), nextCursor: 'b' },
]
const unknown = () => undefined

describe('a long listing whose first tokens were fetched again', () => {
  it('keeps its pages and its end, and loses nothing', () => {
    expect(withFresh(pages, of(8, 7, 6), { listing, known: unknown })).toEqual([
      { tokens: of(8, 7), nextCursor: 'a' },
      { tokens: of(6, 5, 4, 3), nextCursor: 'b' },
    ])
  })

  it('has the newest version of each token, from any query', () => {
    const live = [{ tokens: of(6, 5).map((it) => ({ ...it, seq: 9 })), nextCursor: null }]
    const fresh = of(6).map((it) => ({ ...it, seq: 8 }))
    const [other] = of(5).map((it) => ({ ...it, seq: 11 }))
    const patched = withFresh(live, fresh, { listing, known: (id) => (id === other?.id ? other : undefined) })
    expect(patched?.[0]?.tokens.map(({ id, seq }) => [id, seq])).toEqual([
      [6, 9],
      [5, 11],
    ])
  })

  it('is undefined if the two ranges do not overlap', () => {
    expect(withFresh(pages, of(9, 8), { listing, known: unknown })).toBeUndefined()
  })
})
