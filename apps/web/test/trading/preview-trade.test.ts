import { Decimal, launchPool, quoteBuy, quoteSell, rugPool } from '@papermoon/amm'
import { describe, expect, it } from 'vitest'
import { type PreviewInput, previewTrade } from '../../src/features/trading/order/preview-trade.ts'

const fresh = launchPool()
const slippage = new Decimal('0.02')
const preview = (part: Partial<PreviewInput>) =>
  previewTrade({ side: 'buy', text: '1', pool: fresh, have: '100', slippage, ...part })

describe('a preview', () => {
  it('of a buy equals the market maker’s trade', () => {
    const quote = quoteBuy(fresh, new Decimal('1.5'))
    expect(preview({ text: '1.50' })).toMatchObject({
      refusal: null,
      quote: {
        amount: '1.5',
        receive: quote.tokensOut.toFixed(),
        fee: '0.0045',
        priceAfter: quote.spotAfter.toFixed(),
        least: quote.tokensOut.mul('0.98').toDecimalPlaces(6, Decimal.ROUND_DOWN).toFixed(),
      },
    })
  })

  it('of a sale equals the market maker’s trade', () => {
    const { pool, tokensOut } = quoteBuy(fresh, new Decimal(10))
    const quote = quoteSell(pool, tokensOut)
    const shown = preview({ side: 'sell', text: tokensOut.toFixed(), pool, have: tokensOut.toFixed() })
    expect(shown.refusal).toBeNull()
    expect(shown.quote).toMatchObject({ receive: quote.solOut.toFixed(), fee: quote.fee.toFixed() })
    expect(shown.quote?.impact.isNegative()).toBe(true)
  })

  it('can use exactly all that the player has, and not a lamport more', () => {
    expect(preview({ text: '93.329125729', have: '93.329125729' }).refusal).toBeNull()
    expect(preview({ text: '93.32912573', have: '93.329125729' }).refusal).toBe('short')
  })

  it('of a token in a fair says how the score changes: by the fee alone if nobody else holds the token', () => {
    const { pool, tokensOut } = quoteBuy(fresh, new Decimal(10))
    const held = tokensOut.toFixed()
    expect(preview({ text: '10', held: '0' }).quote?.scoreChange).toBe('-0.03')
    expect(preview({ text: '5', pool, held }).quote?.scoreChange).toBe('-0.015')
    const { quote } = preview({ side: 'sell', text: held, pool, have: held, held })
    // The pool also keeps a lamport that the sale rounds off.
    expect(quote?.scoreChange).toBe(new Decimal(quote?.fee ?? 0).add('1e-9').neg().toFixed())
    expect(preview({ text: '10' }).quote?.scoreChange).toBeNull()
  })

  it('also quotes a trade that the player cannot pay', () => {
    expect(preview({ text: '500' }).quote?.fee).toBe('1.5')
  })

  it('does not check a balance for guests', () => {
    expect(preview({ text: '500', have: null }).refusal).toBeNull()
  })

  it('has no minimum if slippage leaves nothing of it', () => {
    expect(preview({ text: '0.000000002', slippage: new Decimal(1) }).quote?.least).toBeNull()
  })

  it.each([
    ['', 'empty'],
    ['0', 'zero'],
    ['0.', 'zero'],
    ['0.000000000', 'zero'],
    ['0.0000000001', 'zero'],
    ['0.000000001', 'tiny'],
    ['100000000000', 'large'],
  ])('says why %j cannot be bought for', (text, refusal) => {
    expect(preview({ text }).refusal).toBe(refusal)
  })

  it('says that a rugged token is closed, whatever is typed', () => {
    const { pool } = rugPool(fresh)
    expect(preview({ pool }).refusal).toBe('closed')
    expect(preview({ pool, text: '' }).refusal).toBe('closed')
  })

  it('says before anything is typed that the player has nothing to pay with', () => {
    expect(preview({ side: 'sell', text: '', have: '0' }).refusal).toBe('nothing')
    expect(preview({ text: '', have: '0' }).refusal).toBe('nothing')
    expect(preview({ text: '', have: '0.000000001' }).refusal).toBe('empty')
    // This is a guest, or a player whose holding is unknown.
    expect(preview({ side: 'sell', text: '', have: null }).refusal).toBe('empty')
  })

  it('rejects tokens that never left the pool', () => {
    expect(preview({ side: 'sell', text: '5', have: null }).refusal).toBe('short')
  })
})
