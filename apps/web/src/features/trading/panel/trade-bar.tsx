import { formatChange, formatTokensShort, getSign } from '@papermoon/format'
import { useRef } from 'react'
import { Trend } from '../../../components/figures/change.tsx'
import { Button } from '../../../components/form/button.tsx'
import type { Position, Token } from '../../../lib/api/api.ts'
import { useFlash } from '../../../lib/hooks/use-flash.ts'
import { usePrevious } from '../../../lib/hooks/use-previous.ts'
import type { Side } from '../order/preview-trade.ts'
import classes from './trade-panel.module.css'
import { computeBagGain } from './your-bag.tsx'

interface TradeBarProps {
  readonly token: Token
  readonly position: Position | undefined
  readonly isOpen: boolean
  readonly onOpen: (side: Side) => void
}

/** Buy and Sell buttons within reach of the thumb. In a narrow window, they open the sheet with the trade panel. */
export function TradeBar({ token, position, isOpen, onOpen }: TradeBarProps) {
  const holding = position === undefined || position.amount === '0' ? null : position
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row in every browser.
    <div className={classes.bar} role="group" aria-label="Buy or sell">
      {(['buy', 'sell'] as const).map((side) => (
        <Button
          key={side}
          wide
          tall
          look={side === 'buy' ? 'moon' : 'quiet'}
          className={classes.button}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => onOpen(side)}
        >
          {side === 'buy' ? 'Buy' : holding === null ? 'Sell' : <HeldLabel token={token} position={holding} />}
        </Button>
      ))}
    </div>
  )
}

/**
 * The Sell button's label for a holder of the token. The label shows the amount and the gain from selling everything
 * now.
 */
function HeldLabel({ token, position }: { token: Token; position: Position }) {
  const gain = computeBagGain(token, position)
  const sign = gain === null ? 0 : getSign(gain)
  const label = useRef<HTMLSpanElement>(null)
  const before = usePrevious(gain)
  const isUp = before === null || gain === null || Number(gain) >= Number(before)
  useFlash(label, gain ?? '', isUp ? 'up' : 'down')
  return (
    <>
      <span ref={label} className="px-s round-s">
        Sell
        {gain !== null && (
          <>
            {' · '}
            <Trend sign={sign}>{formatChange(gain, 1)}</Trend>
          </>
        )}
      </span>
      <span className="dim text-xs semibold">
        <span className="visually-hidden">, you hold </span>
        {formatTokensShort(position.amount)}
      </span>
    </>
  )
}
