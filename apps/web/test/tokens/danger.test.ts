import { Decimal, launchPool, quoteBuy, quoteSell, rugPool } from '@papermoon/amm'
import { describe, expect, it } from 'vitest'
import { formatRecord, quoteSaleOfAll } from '../../src/features/tokens/danger-panel.tsx'

const { pool, tokensOut } = quoteBuy(launchPool(), new Decimal(10))

describe('the sale of a whole holding', () => {
  it('shows the fall of the price and the proceeds that the market maker would pay', () => {
    const { spotBefore, spotAfter, solOut } = quoteSell(pool, tokensOut)
    const percent = spotBefore.sub(spotAfter).div(spotBefore).mul(100).toFixed(2, Decimal.ROUND_HALF_UP)
    expect(quoteSaleOfAll(pool, tokensOut.toFixed())).toEqual({ fall: `${percent}%`, proceeds: solOut.toFixed() })
    expect(percent).toBe('43.67')
  })

  it('changes nothing for no tokens, and for too few to pay a lamport', () => {
    expect(quoteSaleOfAll(pool, '0')).toEqual({ fall: '0.00%', proceeds: '0' })
    expect(quoteSaleOfAll(pool, '0.000001')).toEqual({ fall: '0.00%', proceeds: '0' })
  })

  it('is unknown for a rugged pool, and for more tokens than the pool sold', () => {
    expect(quoteSaleOfAll(rugPool(pool).pool, '1')).toBeNull()
    expect(quoteSaleOfAll(pool, tokensOut.add(1).toFixed())).toBeNull()
  })
})

describe('the sentence about a creator', () => {
  it.each([
    [
      { launched: 1, rugged: 0, ruggedAmount: '0', scoundrel: 0 },
      'The creator has launched no other token in the main market.',
    ],
    [
      { launched: 2, rugged: 0, ruggedAmount: '0', scoundrel: 0 },
      'The creator has launched 1 other token in the main market and rugged none.',
    ],
    [
      { launched: 1_001, rugged: 0, ruggedAmount: '0', scoundrel: 0 },
      'The creator has launched 1,000 other tokens in the main market and rugged none.',
    ],
    [
      { launched: 4, rugged: 2, ruggedAmount: '1234.567', scoundrel: 0 },
      'The creator has launched 3 other tokens in the main market and rugged 2 (for 1,234.567000 SOL).',
    ],
  ])('leaves out the token on screen: %o', (record, sentence) => {
    expect(formatRecord(record, { isOwn: false, isCounted: true })).toBe(sentence)
  })

  it('addresses creators as “you”', () => {
    const record = { launched: 2, rugged: 1, ruggedAmount: '3', scoundrel: 2 }
    expect(formatRecord(record, { isOwn: true, isCounted: false })).toContain('You have launched 2 tokens in the main')
    expect(formatRecord(record, { isOwn: true, isCounted: true })).toBe(
      'You have launched 1 other token in the main market and rugged 1 (for 3.000000 SOL). “Scoundrel” verdicts from rug courts: 2.',
    )
  })
})
