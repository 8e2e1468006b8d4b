import { describe, expect, it } from 'vitest'
import { findNews } from '../../src/features/fairs/fair-alarm.tsx'
import type { FairBag, FairTrade } from '../../src/lib/api/api.ts'

const KITE = 1_000_000_001
const trade = (facts: Partial<FairTrade>): FairTrade =>
  ({
    id: 9,
    tokenId: KITE,
    tokenSymbol: 'KITE',
    username: 'bert',
    isBot: false,
    solAmount: '12',
    ...facts,
  }) as FairTrade
const holding = (cashOut: string, amount = '5') =>
  [{ token: { id: KITE }, cashOut, amount }] as unknown as FairBag['holdings']
const rules = { own: new Set<number>(), stake: '100', before: holding('15'), now: holding('7') }

describe('news in a fair', () => {
  it('says who sold much of a token that the player holds, and how much less it pays', () => {
    const dump = trade({ side: 'sell', tokenAmount: '249400000' })
    expect(findNews([dump], rules)).toMatchObject({
      title: 'bert sold KITE',
      message: 'The sale was 24.94% of all tokens. Your tokens now pay 8.00 SOL less.',
      kind: 'loss',
    })
    expect(findNews([trade({ side: 'sell', tokenAmount: '49999999' })], rules)).toBeNull()
    expect(findNews([dump], { ...rules, now: [] })).toBeNull()
    expect(findNews([dump], { ...rules, now: rules.before })?.message).toBe('The sale was 24.94% of all tokens.')
    // The player has sold, too.
    const sold = findNews([dump], { ...rules, before: holding('15', '8') })
    expect(sold?.message).toBe('The sale was 24.94% of all tokens.')
  })

  it('tells creators who bought for a tenth of the stake, unless it was a bot', () => {
    const own = { ...rules, own: new Set([KITE]) }
    const buy = trade({ side: 'buy', tokenAmount: '1', solAmount: '10' })
    expect(findNews([buy], own)).toMatchObject({
      title: 'bert bought your KITE',
      message: 'The purchase was 10.00 SOL.',
    })
    expect(findNews([{ ...buy, isBot: true }], own)).toBeNull()
    expect(findNews([{ ...buy, solAmount: '9.99' }], own)).toBeNull()
    expect(findNews([buy], rules)).toBeNull()
  })
})
