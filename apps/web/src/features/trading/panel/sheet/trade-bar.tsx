import { Button } from '../../../../components/form/button.tsx'
import { formatTokensShort } from '../../../../lib/format/format.ts'
import type { Side } from '../../fields/side.ts'
import classes from './trade-bar.module.css'

interface TradeBarProps {
  /** Exact amount the player holds; null if unknown. */
  readonly holding: string | null
  readonly isOpen: boolean
  readonly onOpen: (side: Side) => void
}

/** Buy and Sell in reach of the thumb: in a narrow window they open the sheet with the trade panel. */
export function TradeBar({ holding, isOpen, onOpen }: TradeBarProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row in every browser.
    <div className={classes.bar} role="group" aria-label="Trade bar">
      <Button
        wide
        tall
        className={classes.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => onOpen('buy')}
      >
        Buy
      </Button>
      <Button
        wide
        tall
        look="quiet"
        className={classes.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => onOpen('sell')}
      >
        Sell
        {holding !== null && holding !== '0' && (
          <span className={classes.small}>
            <span className="visually-hidden">, you hold </span>
            {formatTokensShort(holding)}
          </span>
        )}
      </Button>
    </div>
  )
}
