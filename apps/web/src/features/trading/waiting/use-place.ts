import { cache, client, type Token } from '../../../lib/api/api.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { useSendOnce } from '../order/use-send-once.ts'
import { nameOrder, type toTerms } from './waiting-terms.ts'

/** Places an order with its own idempotency key. The player sees the outcome as a toast. */
export function usePlace({ symbol }: Pick<Token, 'symbol'>, onDone: () => void) {
  const { isBusy, send, askForLogin } = useSendOnce({
    title: 'Could not place the order',
    unknown:
      'We don’t know whether your order was placed. To check, press again without changing the order. The same order is never placed twice.',
  })
  /** `asked` contains the player's choices. The order's price may follow the market price. */
  const place = async (terms: NonNullable<ReturnType<typeof toTerms>>, asked: unknown) => {
    await send(
      terms,
      client.waitingOrders.place.mutate,
      ({ order, trades }) => {
        const name = `${nameOrder(order)} for ${symbol}.`
        if (trades.length === 0) showToast({ title: 'Order placed', message: name })
        else if (order.state !== 'waiting') showToast({ title: 'Order filled', message: name })
        else showToast({ title: 'Order partly filled', message: `${name} The rest of the order stays open.` })
        onDone()
      },
      asked,
    )
    // Refetch after a rejection too, because the order may have been partly filled meanwhile.
    void cache.waitingOrders.list.invalidate()
  }
  return { isBusy, place, askForLogin }
}
