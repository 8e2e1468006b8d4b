import { cache, client, type Token } from '../../../lib/api/api.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { useSending } from '../order/use-sending.ts'
import { nameOrder, type toTerms } from './waiting-terms.ts'

/** Places an order with a key of its own. Shows toasts for the outcome. */
export function usePlace({ symbol }: Pick<Token, 'symbol'>, onDone: () => void) {
  const { isBusy, send, askForLogin } = useSending({
    title: 'Not Placed',
    done: 'it was placed',
    fallback: 'Failed to place the order',
  })
  /** `asked` is what the player chose: its price may follow the market's. */
  const place = async (terms: NonNullable<ReturnType<typeof toTerms>>, asked: unknown) => {
    await send(
      terms,
      client.waitingOrders.place.mutate,
      ({ order, trades }) => {
        const isFilled = trades.length > 0
        showToast({
          title: isFilled ? 'Filled' : 'Order placed',
          message: `${nameOrder(order)} of ${symbol}${order.state === 'waiting' && isFilled ? ': the rest stays open' : ''}.`,
        })
        onDone()
      },
      asked,
    )
    // Also where it was refused: it may have been filled in part since it was opened.
    void cache.waitingOrders.list.invalidate()
  }
  return { isBusy, place, askForLogin }
}
