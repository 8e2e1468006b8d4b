import { ID, launchEvent, rugEvent, tradeEvent, userId } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import type { TokenId } from '../../src/lib/api/api.ts'
import { concernsHolder } from '../../src/lib/hooks/use-refetch-on.ts'

const OTHER = 8 as TokenId
const held = new Set([ID])
const nothing = new Set<TokenId>()
const me = userId(9)

describe('an event of the market', () => {
  it('concerns a holder of the token, whoever traded it', () => {
    expect(concernsHolder(tradeEvent({ seq: 1 }), me, held)).toBe(true)
    expect(concernsHolder(rugEvent(1), me, held)).toBe(true)
    expect(concernsHolder(tradeEvent({ seq: 1, tokenId: OTHER }), me, held)).toBe(false)
  })

  it('concerns the player who acted, whatever they held before', () => {
    expect(concernsHolder(tradeEvent({ seq: 1, trader: 9 }), me, nothing)).toBe(true)
    expect(concernsHolder(rugEvent(1), userId(1), nothing)).toBe(true)
    expect(concernsHolder(launchEvent(), userId(1), nothing)).toBe(true)
  })

  it('concerns nobody else', () => {
    expect(concernsHolder(tradeEvent({ seq: 1, trader: 2 }), me, nothing)).toBe(false)
    expect(concernsHolder(rugEvent(1), me, nothing)).toBe(false)
    expect(concernsHolder(launchEvent(), me, nothing)).toBe(false)
  })
})
