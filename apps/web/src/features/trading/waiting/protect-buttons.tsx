import { useState } from 'react'
import type { Token } from '../../../lib/api/api.ts'
import presets from '../fields/quick-amounts.module.css'
import { usePlaceOrder } from './use-place-order.ts'
import { toOrderPrice, toPercentUnder, toTerms } from './waiting-terms.ts'

interface ProtectButtonsProps {
  readonly token: Pick<Token, 'id' | 'symbol' | 'currentPrice'>
  readonly have: string
}

/**
 * Buttons for orders that sell a whole holding when its price has fallen or risen. A tap on a button places the order.
 */
export function ProtectButtons({ token, have }: ProtectButtonsProps) {
  const { isBusy, send } = usePlaceOrder(token, () => {})
  const [isAny, setAny] = useState(false)
  const wait = (mode: 'stop' | 'limit', percent: string) => () => {
    const price = toOrderPrice(percent, 'percent', token.currentPrice)
    const terms = toTerms(token, {
      mode,
      side: 'sell',
      amount: have,
      price,
      isAny,
      target: null,
      duration: 'month',
      changed: null,
    })
    if (terms !== null) send(terms, { asked: [mode, have, isAny] })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row in every browser.
    <div role="group" aria-label="Sell later">
      <div className="row stretch gap-s wrap">
        <button type="button" className={`p-xs ${presets.chip} pill`} disabled={isBusy} onClick={wait('stop', '-10')}>
          Protect: sell all at −10%
        </button>
        <button type="button" className={`p-xs ${presets.chip} pill`} disabled={isBusy} onClick={wait('limit', '50')}>
          Take profit: sell all at +50%
        </button>
      </div>
      <label className="row gap-s touch text-s">
        <input type="checkbox" checked={isAny} onChange={(event) => setAny(event.currentTarget.checked)} />
        Protect: sell at any price
      </label>
      <p className="small">
        {isAny
          ? 'Protect sells at any price.'
          : `Protect sells at most ${toPercentUnder(null)}% below the trigger. If the price falls further, the rest of the order stays open.`}
      </p>
    </div>
  )
}
