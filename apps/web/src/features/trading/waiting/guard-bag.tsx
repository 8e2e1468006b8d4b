import type { Token } from '../../../lib/api/api.ts'
import presets from '../fields/quick-amounts.module.css'
import { usePlace } from './use-place.ts'
import { toOrderPrice, toTerms } from './waiting-terms.ts'

interface GuardBagProps {
  readonly token: Pick<Token, 'id' | 'symbol' | 'currentPrice'>
  /** Exact amount that the player holds. */
  readonly have: string
}

/** Sells a whole bag once its price has fallen or risen: a tap places the order. */
export function GuardBag({ token, have }: GuardBagProps) {
  const { isBusy, place } = usePlace(token, () => {})
  const wait = (mode: 'stop' | 'limit', percent: string) => () => {
    const price = toOrderPrice(percent, 'percent', token.currentPrice)
    const terms = toTerms(token, {
      mode,
      side: 'sell',
      amount: have,
      price,
      isAny: false,
      target: null,
      lasts: 'month',
      changed: null,
    })
    if (terms !== null) void place(terms)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row in every browser.
    <div className={presets.row} role="group" aria-label="Sell later">
      <button type="button" className={presets.chip} disabled={isBusy} onClick={wait('stop', '-10')}>
        Protect: sell all at −10%
      </button>
      <button type="button" className={presets.chip} disabled={isBusy} onClick={wait('limit', '50')}>
        Take profit: sell all at +50%
      </button>
    </div>
  )
}
