import { formatSol, formatTokens } from '@papermoon/format'
import { useCallback, useEffect, useState } from 'react'
import { Value } from '../../../components/figures/value.tsx'
import { cache, client, type Token, trpc, type WaitingOrder } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { follow } from '../../../lib/live/follow.ts'
import { useValueUnit } from '../../../lib/market/value-unit.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import classes from './waiting-form.module.css'
import { findDistance, nameOrder } from './waiting-terms.ts'

/** The player's waiting orders of a token, with their distance to the price. Nothing where there are none. */
export function WaitingList({ token }: { token: Token }) {
  const { id: tokenId } = token
  const orders = trpc.waitingOrders.list.useQuery({ tokenId }).data?.orders ?? []
  useLiveOrders(token)
  const [isBusy, setBusy] = useState(false)
  const cancel = async (ids?: number[]) => {
    setBusy(true)
    try {
      await client.waitingOrders.cancel.mutate({ tokenId, ids })
    } catch (error) {
      showFailure('Not Cancelled', getSentence(error), 'Failed to cancel')
    } finally {
      setBusy(false)
      void cache.waitingOrders.list.invalidate()
    }
  }
  if (orders.length === 0) return null
  return (
    <section aria-label="Your waiting orders">
      <div className={classes.head}>
        <h3 className={classes.title}>Waiting orders</h3>
        {orders.length > 1 && (
          <button type="button" className={classes.cancel} disabled={isBusy} onClick={() => void cancel()}>
            Cancel all
          </button>
        )}
      </div>
      <ul className={classes.list}>
        {orders.map((order) => (
          <li key={order.id} className={classes.order}>
            <OrderFacts order={order} token={token} />
            <button
              type="button"
              className={classes.cancel}
              disabled={isBusy}
              aria-label={`Cancel the ${nameOrder(order).toLowerCase()}`}
              onClick={() => void cancel([order.id])}
            >
              Cancel
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OrderFacts({ order, token }: { order: WaitingOrder; token: Token }) {
  const unit = useValueUnit()
  const distance = findDistance(order, token.currentPrice)
  const left = order.kind === 'buy' ? `${formatSol(order.left, 6)} SOL` : `${formatTokens(order.left)} ${token.symbol}`
  return (
    <>
      <span className={classes.name}>
        {nameOrder(order)} · {left}
        {order.fills > 0 && ' left'}
      </span>
      <span className={classes.facts}>
        {distance === null || distance.price === '0' ? (
          'At any price'
        ) : (
          <>
            At <Value price={distance.price} unit={unit} />
            {unit === 'price' && ' SOL'} · {distance.percent}% away
          </>
        )}
      </span>
    </>
  )
}

/** Follows the player's orders of a token: the list is as it is now, and a fill is told where the eye is. */
function useLiveOrders({ id: tokenId, symbol }: Token): void {
  const tell = useCallback(
    (order: WaitingOrder) => {
      void cache.waitingOrders.list.invalidate()
      if (order.fills === 0) return
      void cache.trading.position.invalidate({ tokenId })
      void cache.auth.me.invalidate()
      if (order.state === 'filled')
        showToast({ title: 'Filled', message: `Your ${nameOrder(order).toLowerCase()} of ${symbol}.` })
    },
    [tokenId, symbol],
  )
  useEffect(() => {
    let lastEventId: string | undefined
    return follow(({ waitingOrders }, handlers) =>
      waitingOrders.watch.subscribe(
        { tokenId, lastEventId },
        {
          ...handlers,
          // What came between the list and the subscription is in no event.
          onStarted: () => lastEventId === undefined && void cache.waitingOrders.list.invalidate(),
          onData: ({ id, data }: { id: string; data: { order: WaitingOrder } }) => {
            lastEventId = id
            tell(data.order)
          },
        },
      ),
    )
  }, [tokenId, tell])
}
