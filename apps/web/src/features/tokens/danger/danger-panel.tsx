import type { Pool } from '@papermoon/amm'
import { formatShare, formatSol, NO_FIGURE } from '@papermoon/format'
import type { ReactNode } from 'react'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { BotMark } from '../../../components/tokens/player-link.tsx'
import { type Holder, type Token, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { useThrottled } from '../../../lib/hooks/use-throttled.ts'
import { formatSealEnd, freeAmount, type SealedBag, useSealedBag } from '../../../lib/market/own-seal.ts'
import { toPool } from '../../../lib/market/pool-from-state.ts'
import classes from './danger-panel.module.css'
import { formatRecord, quoteSaleOfAll } from './sale-of-all.ts'

/** Min time between updates, ms; faster changes could not be read. */
const MOVES_EVERY_MS = 250
const SOL_SHOWN = 4

/** How far an open token's price would fall if its creator or largest holder sold what they can, and the creator's other tokens. */
export function DangerPanel({ token: latest }: { token: Token }) {
  const token = useThrottled(latest, MOVES_EVERY_MS)
  const user = useCurrentUser()
  const holders = trpc.tokens.holders.useQuery({ id: token.id })
  const isOwn = user?.id === token.creator.id
  const sealed = useSealedBag(token, token.creator.id)
  const pool = toPool(token)
  return (
    <Panel
      title="If they sold everything"
      className={classes.panel}
      aside={<span className="small">the price would fall by</span>}
    >
      <dl className={classes.sales}>
        <Sale
          seller={{
            label: isOwn ? 'You, the creator' : 'The creator',
            title: token.creator.username,
            isBot: token.creator.isBot,
          }}
          amount={token.creatorHolding}
          sealed={sealed}
          token={token}
          pool={pool}
        />
        <LargestSale
          largest={holders.data === undefined ? undefined : findLargest(holders.data, token)}
          ownId={user?.id ?? null}
          token={token}
          pool={pool}
        />
      </dl>
      <CreatorRecord token={token} isOwn={isOwn} />
    </Panel>
  )
}

/** The largest holder except the creator; null where there is none. */
function findLargest(holders: readonly Holder[], { creator }: Token): Holder | null {
  return holders.find(({ userId }) => userId !== creator.id) ?? null
}

interface LargestSaleProps {
  readonly largest: Holder | null | undefined
  readonly ownId: number | null
  readonly token: Token
  readonly pool: Pool
}

function LargestSale({ largest, ownId, token, pool }: LargestSaleProps) {
  if (largest == null) {
    return (
      <Row label="The largest holder" figure={NO_FIGURE}>
        {largest === null ? 'Nobody else holds any.' : <Skeleton width="70%" height="1em" />}
      </Row>
    )
  }
  const isYou = largest.userId === ownId
  return (
    <Sale
      seller={{
        label: isYou ? 'You, the largest holder' : largest.username,
        title: largest.username,
        isBot: largest.isBot,
      }}
      amount={largest.amount}
      token={token}
      pool={pool}
    />
  )
}

interface SaleProps {
  readonly seller: { readonly label: string; readonly title: string; readonly isBot: boolean }
  readonly amount: string
  readonly sealed?: SealedBag | null
  readonly token: Token
  readonly pool: Pool
}

function Sale({ seller, amount, sealed = null, token, pool }: SaleProps) {
  const free = freeAmount(amount, sealed)
  const sale = quoteSaleOfAll(pool, free)
  const figure =
    sale === null ? (
      NO_FIGURE
    ) : (
      <>
        <span className={classes.arrow} aria-hidden="true">
          ▼
        </span>
        <span className="visually-hidden">the price would fall by </span>
        {sale.fall}
      </>
    )
  return (
    <Row {...seller} figure={figure}>
      {amount === '0' && 'holds none, so has nothing to sell'}
      {amount !== '0' && free === '0' && sealed !== null && (
        <span title={`${amount} ${token.symbol}, sealed ${formatSealEnd(sealed.until)}`}>
          {formatShare(amount, token.supply)} of the supply, all of it sealed
        </span>
      )}
      {free !== '0' && (
        <span title={`${free} ${token.symbol}${sale === null ? '' : ` for ${sale.proceeds} SOL`}`}>
          {formatShare(free, token.supply)} {sealed === null ? 'of the supply' : 'free'}
          {sale !== null && `, for ${formatSol(sale.proceeds, SOL_SHOWN)} SOL`}
          {sealed !== null && `; ${formatShare(sealed.tokens, token.supply)} sealed`}
        </span>
      )}
    </Row>
  )
}

interface RowProps {
  readonly label: string
  readonly title?: string
  readonly isBot?: boolean
  readonly figure: ReactNode
  readonly children: ReactNode
}

function Row({ label, title, isBot = false, figure, children }: RowProps) {
  return (
    <div className={classes.sale}>
      <dt className={`${classes.seller} cut`} title={title}>
        {label} {isBot && <BotMark />}
      </dt>
      <dd className={classes.fall}>{figure}</dd>
      <dd className={`${classes.beside} cut dim`}>{children}</dd>
    </div>
  )
}

function CreatorRecord({ token: { creator }, isOwn }: { token: Token; isOwn: boolean }) {
  const record = trpc.users.launchRecord.useQuery({ id: creator.id })
  return (
    <p className={classes.record}>
      {record.isError ? (
        <>
          What the creator launched before did not come.{' '}
          <button type="button" className="link" onClick={() => void record.refetch()}>
            Try again
          </button>
        </>
      ) : record.data === undefined ? (
        <Skeleton width="90%" height="1em" />
      ) : (
        formatRecord(record.data, isOwn)
      )}
    </p>
  )
}
