import { cache, client, type Token } from '../../../lib/api/api.ts'
import { type Keyed, useOrder } from '../../../lib/api/use-order.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { nameOrder, type Terms } from './waiting-terms.ts'

const FAILURE = {
  title: 'Could not place the order',
  unknown:
    'We don’t know whether your order was placed. To check, press again without changing the order. The same order is never placed twice.',
}

/** Places orders that wait for a price, and shows the outcome in a toast. */
export function usePlaceOrder({ symbol }: Pick<Token, 'symbol'>, onDone: () => void) {
  const askForLogin = useAskForLogin('trade tokens')
  // Fetch the orders even after a rejection, because the order may have been partly filled meanwhile.
  const refetchOrders = () => void cache.waitingOrders.list.invalidate()
  const { isBusy, send } = useOrder({
    call: (terms: Keyed<Terms>, options) => client.waitingOrders.place.mutate(terms, options),
    onAnswer: ({ order, trades }) => {
      const name = `${nameOrder(order)} for ${symbol}.`
      if (trades.length === 0) showToast({ title: 'Order placed', message: name })
      else if (order.state !== 'waiting') showToast({ title: 'Order filled', message: name })
      else showToast({ title: 'Order partly filled', message: `${name} The rest of the order stays open.` })
      onDone()
      refetchOrders()
    },
    failure: () => FAILURE,
    onFailure: refetchOrders,
    askForLogin: () => askForLogin(),
  })
  return { isBusy, send, askForLogin }
}
