import { Decimal, readPool, solText } from '@papermoon/amm'
import { useMutation } from '@tanstack/react-query'
import { Button } from '../../components/form/button.tsx'
import { cache, type FairMarketToken } from '../../lib/api/api.ts'
import { previewTrade, type Side } from '../trading/order/preview-trade.ts'
import { slippageFraction, storedSlippage } from '../trading/panel/slippage-field.tsx'
import { useTrade } from '../trading/panel/use-trade.ts'
import classes from './fairs.module.css'

/** A quick purchase costs the stake divided by this number, or what is left of the player's SOL. */
const STAKE_PART = 10
const SOL_SHOWN = 2

interface QuickTradeProps {
  readonly stake: string
  readonly token: FairMarketToken
  /** The player's SOL in the fair, or undefined while it is unknown. */
  readonly balance: string | undefined
  readonly isHeld: boolean
  readonly onDone: () => void
}

/**
 * Buttons that buy a fair's token and sell the whole holding with one press. The purchase observes the player's stored
 * slippage, and the sale accepts any price.
 */
export function QuickTrade({ stake, token, balance = '0', isHeld, onDone }: QuickTradeProps) {
  const { id, symbol } = token
  const trade = useTrade(token, onDone)
  const sol = Decimal.min(new Decimal(stake).div(STAKE_PART), balance).toDP(SOL_SHOWN, Decimal.ROUND_DOWN)
  const order = useMutation({
    mutationFn: async (side: Side) => {
      const [{ pool }, { amount }] = await Promise.all([
        cache.tokens.get.fetch({ id }, { staleTime: 0 }),
        cache.trading.position.fetch({ tokenId: id }, { staleTime: 0 }),
      ])
      const text = side === 'buy' ? solText(sol) : amount
      const slippage = slippageFraction(storedSlippage())
      const { quote } = previewTrade({ side, text, pool: readPool(pool), have: null, slippage })
      // A sale has no minimum, because it would fail just when the price falls.
      if (quote !== null) trade.submit(side === 'buy' ? quote : { ...quote, least: null })
    },
    meta: { failure: 'Could not read the price' },
  })
  const isBusy = order.isPending || trade.isBusy
  return (
    <span className={`row gap-xs ${classes.quick}`}>
      <Button
        look="quiet"
        aria-label={`Buy ${symbol} for ${solText(sol)} SOL`}
        disabled={isBusy || sol.isZero() || token.isRugged}
        onClick={() => order.mutate('buy')}
      >
        Buy {solText(sol)}
      </Button>
      <Button
        look="quiet"
        aria-label={`Sell all ${symbol}`}
        disabled={isBusy || !isHeld || token.isRugged}
        onClick={() => order.mutate('sell')}
      >
        Sell
      </Button>
    </span>
  )
}
