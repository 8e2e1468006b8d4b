import { describe, expect, it } from 'vitest'
import { parseListingChoice } from '../../src/features/home/listing/listing-choice.ts'
import { SEARCH_MAX } from '../../src/lib/market/listing.ts'

describe('the search in the URL of the listing', () => {
  it('is kept, and defaults are left out', () => {
    expect(parseListingChoice({ q: 'moon', sort: 'mcap-high' })).toEqual({ q: 'moon', sort: 'mcap-high' })
    expect(parseListingChoice({ tab: 'rising' })).toEqual({ tab: 'rising' })
    expect(parseListingChoice({ rugged: 'hide', starred: true })).toEqual({ rugged: 'hide', starred: true })
    expect(parseListingChoice({ q: '', sort: 'newest', tab: 'all' })).toEqual({})
  })

  it('reads a number as text', () => {
    expect(parseListingChoice({ q: 42 })).toEqual({ q: '42' })
  })

  it('drops unknown values and truncates long texts', () => {
    expect(parseListingChoice({ q: ['a'], sort: 'loudest', tab: 'cold', other: 1 })).toEqual({})
    expect(parseListingChoice({ rugged: 'show', starred: 'yes' })).toEqual({})
    // The keys must exist, because a missing one would keep its raw value.
    expect(Object.keys(parseListingChoice({ sort: 'loudest' }))).toEqual(['q', 'sort', 'tab', 'rugged', 'starred'])
    expect(parseListingChoice({ q: 'mo\u200bon\u0000' })).toEqual({ q: 'moon' })
    for (const q of ['می\u200cخواهم', '👨\u200d👩\u200d👧']) expect(parseListingChoice({ q })).toEqual({ q })
    expect(parseListingChoice({ q: 'x'.repeat(500) }).q).toHaveLength(SEARCH_MAX)
  })
})
