import { describe, expect, it } from 'vitest'
import { formatRefusal } from '../../src/features/trading/order/refusal-text.ts'

describe('the figures in an error', () => {
  it('are tokens after a buy at another price', () => {
    const sentence = 'The price has moved: you would receive 31999999, less than your minimum of 32000000.5.'
    expect(formatRefusal(sentence, 'SLIPPAGE_EXCEEDED', 'buy')).toBe(
      'The price has moved: you would receive 31,999,999.00, less than your minimum of 32,000,000.50.',
    )
  })
  it('are SOL after a sale, with enough decimals to distinguish them', () => {
    const sentence = 'The price has moved: you would receive 1234.567891234, less than your minimum of 1234.567901.'
    expect(formatRefusal(sentence, 'SLIPPAGE_EXCEEDED', 'sell')).toBe(
      'The price has moved: you would receive 1,234.567891, less than your minimum of 1,234.567901.',
    )
  })
  it('are a balance, shown like in the bar', () => {
    const sentence = 'Insufficient balance: you have 1099.980000001 SOL, but this order needs 5000 SOL.'
    expect(formatRefusal(sentence, 'INSUFFICIENT_BALANCE', 'buy')).toBe(
      'Insufficient balance: you have 1,099.98 SOL, but this order needs 5,000.00 SOL.',
    )
  })
  it('are exact if rounded amounts of tokens would look equal', () => {
    const sentence = 'The price has moved: you would receive 10.001, less than your minimum of 10.002.'
    expect(formatRefusal(sentence, 'SLIPPAGE_EXCEEDED', 'buy')).toBe(sentence)
  })
  it('can be those of a holding', () => {
    expect(formatRefusal('Insufficient tokens: you hold only 1234567.5.', 'INSUFFICIENT_TOKENS', 'sell')).toBe(
      'Insufficient tokens: you hold only 1,234,567.50.',
    )
  })
  it('in any other sentence stay unchanged', () => {
    const sentence = 'You already have 50 orders in progress. Please wait for their results.'
    expect(formatRefusal(sentence, 'TOO_MANY_ORDERS', 'buy')).toBe(sentence)
  })
})
