import { formatSol, formatTokens } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Value } from '../../../components/figures/value.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { cache, type Token, type TokenId, trpc, type WaitingOrder } from '../../../lib/api/api.ts'
import { timeBetween } from '../../../lib/format/relative-time.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { useFeed } from '../../../lib/live/follow.ts'
import { askToChange, useAskedChange } from '../../../lib/market/asked-change.ts'
import { useValueUnit } from '../../../lib/market/value-unit.ts'
import { findDistance, moveOrder, nameOrder } from './waiting-terms.ts'

/** Max number of waiting orders in the list. The server has the same limit. */
const SHOWN_MAX = 50

type Traded = Pick<Token, 'id' | 'symbol' | 'currentPrice'>

/**
 * Lists the player's waiting orders for a token, with their distance from the price. Renders nothing if there are no
 * waiting orders.
 */
export function WaitingList({ token, onChange }: { token: Traded } & Pick<OrdersProps, 'onChange'>) {
  const { id: tokenId } = token
  const { data } = trpc.waitingOrders.list.useQuery({ tokenId })
  useLiveOrders(tokenId)
  useAskedOrder(data?.orders ?? [], onChange)
  return <Orders orders={data?.orders ?? []} tokens={[token]} tokenId={tokenId} onChange={onChange} />
}

/** Opens the order that the player wants to change from the chart or the portfolio. */
function useAskedOrder(orders: readonly WaitingOrder[], onChange: OrdersProps['onChange']): void {
  const asked = useAskedChange()
  const order = orders.find(({ id }) => id === asked?.orderId)
  useEffect(() => {
    if (asked === null || order === undefined) return
    askToChange(null)
    onChange?.(asked.moved === undefined ? order : moveOrder(order, asked.moved))
  }, [asked, order, onChange])
}

/** Lists the waiting orders for all tokens, each with a link to its token's page. */
export function AllWaitingOrders() {
  const orders = trpc.waitingOrders.list.useQuery({ limit: SHOWN_MAX }).data?.orders ?? []
  const ids = [...new Set(orders.map(({ tokenId }) => tokenId))].sort((x, y) => x - y).join()
  const { data } = trpc.tokens.byIds.useQuery({ ids }, { enabled: ids !== '' })
  useLiveOrders()
  return <Orders orders={orders} tokens={data ?? []} />
}

interface OrdersProps {
  readonly orders: readonly WaitingOrder[]
  readonly tokens: readonly Traded[]
  /** The token whose page contains the list. If this is undefined, each order links to its own token. */
  readonly tokenId?: TokenId
  /** Opens an order's form. This function is undefined if orders are changed on their token's page. */
  readonly onChange?: (order: WaitingOrder) => void
}

function Orders({ orders, tokens, tokenId, onChange }: OrdersProps) {
  const { mutate, isPending } = trpc.waitingOrders.cancel.useMutation({
    meta: { failure: 'Could not cancel the order' },
    onSettled: () => void cache.waitingOrders.list.invalidate(),
  })
  const cancel = (ids?: number[]) => mutate({ tokenId, ids })
  const rows = orders.flatMap((order) => {
    const token = tokens.find(({ id }) => id === order.tokenId)
    return token === undefined ? [] : [{ order, token }]
  })
  if (rows.length === 0) return null
  const cancelAll = rows.length > 1 && (
    <button
      type="button"
      className="inline-row px-m bold bare touch accent round-s hover-sunken"
      disabled={isPending}
      onClick={() => cancel()}
    >
      Cancel all orders
    </button>
  )
  const list = (
    <ul className="stack gap-s">
      {rows.map(({ order, token }) => (
        <li key={order.id} className="row gap-x-m wrap p-s-m round-s edge">
          <OrderFacts order={order} token={token} isLinked={tokenId === undefined} />
          <span className="ml-auto">
            {!order.isTriggered && <ChangeButton order={order} onChange={onChange} />}
            <button
              type="button"
              className="inline-row px-m bold bare touch accent round-s hover-sunken"
              disabled={isPending}
              aria-label={`Cancel the ${nameOrder(order).toLowerCase()}`}
              onClick={() => cancel([order.id])}
            >
              Cancel
            </button>
          </span>
        </li>
      ))}
    </ul>
  )
  if (tokenId === undefined) {
    return (
      <Panel title="Your waiting orders" aside={cancelAll}>
        {list}
      </Panel>
    )
  }
  return (
    <section aria-label="Your waiting orders">
      <div className="apart mt-m">
        <h3 className="text-m">Waiting orders</h3>
        {cancelAll}
      </div>
      {list}
    </section>
  )
}

/**
 * A button that opens the order in the trade panel. If the page has no trade panel, the button opens the order on its
 * token's page.
 */
function ChangeButton({ order, onChange }: { order: WaitingOrder } & Pick<OrdersProps, 'onChange'>) {
  const label = `Change the ${nameOrder(order).toLowerCase()}`
  if (onChange === undefined) {
    return (
      <Link
        className="inline-row px-m bold bare touch accent round-s hover-sunken"
        to="/token/$id"
        params={{ id: String(order.tokenId) }}
        aria-label={label}
        onClick={() => askToChange({ orderId: order.id })}
      >
        Change
      </Link>
    )
  }
  return (
    <button
      type="button"
      className="inline-row px-m bold bare touch accent round-s hover-sunken"
      aria-label={label}
      onClick={() => onChange(order)}
    >
      Change
    </button>
  )
}

function OrderFacts({ order, token, isLinked }: { order: WaitingOrder; token: Traded; isLinked: boolean }) {
  const unit = useValueUnit()
  const nowMs = useNow()
  const distance = findDistance(order, token.currentPrice)
  const left = order.kind === 'buy' ? `${formatSol(order.left, 6)} SOL` : `${formatTokens(order.left)} ${token.symbol}`
  return (
    <div className="grow-wrap">
      <p className="bold breaks">
        {isLinked && (
          <>
            <Link to="/token/$id" params={{ id: String(token.id) }}>
              {token.symbol}
            </Link>{' '}
            ·{' '}
          </>
        )}
        {nameOrder(order)} · {left}
        {order.fills > 0 && ' left'}
      </p>
      <p className="small">
        {order.isTriggered && order.leastPrice !== null ? (
          <span>
            The stop was triggered and is waiting for a buyer at <Value price={order.leastPrice} unit={unit} saysSol />
          </span>
        ) : distance === null || distance.price === '0' ? (
          'Fills at any price'
        ) : (
          <>
            {order.below !== null && order.above !== null ? (
              <>
                Stop <Value price={order.below} unit={unit} saysSol />, target{' '}
                <Value price={order.above} unit={unit} saysSol />
              </>
            ) : (
              <>
                Order price <Value price={distance.price} unit={unit} saysSol />
              </>
            )}{' '}
            · {distance.percent.replace('-', '−')}% away
          </>
        )}
        {` · expires in ${timeBetween(new Date(nowMs).toISOString(), order.expiresAt)}`}
      </p>
    </div>
  )
}

/**
 * Fetches the player's orders for one token or for all tokens again whenever an order changes. Notifications tell the
 * player what happened.
 */
function useLiveOrders(tokenId?: TokenId): void {
  const refetch = () => void cache.waitingOrders.list.invalidate()
  useFeed<{ order: WaitingOrder }>(tokenId ?? 'all', {
    subscribe: ({ waitingOrders }, handlers, lastEventId) =>
      waitingOrders.watch.subscribe({ tokenId, lastEventId }, handlers),
    onData: ({ order }) => {
      refetch()
      if (order.fills === 0) return
      void cache.trading.position.invalidate({ tokenId: order.tokenId })
      void cache.auth.me.invalidate()
    },
    // Fetch the list again, because events do not include changes between the list and the subscription.
    onBegin: refetch,
  })
}
