import { useThrottledValue } from '@mantine/hooks'
import { Decimal } from '@papermoon/amm'
import { formatShare, formatTokens } from '@papermoon/format'
import { type CSSProperties, memo } from 'react'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Fact } from '../../../components/figures/fact.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PlayerFace } from '../../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import { type Holder, type Token, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import classes from './top-holders.module.css'

const SHOWN = 20
/** Min time between two updates, in ms. Nobody could read the table if it changed faster. */
const MOVES_EVERY_MS = 250
/** Number of the largest holders whose shares are added up. */
const TOP = 10

export function TopHolders({ token }: { token: Token }) {
  const query = trpc.tokens.holders.useQuery({ id: token.id })
  return (
    <Panel title="Top Holders">
      <Fetched
        query={query}
        failure="Could not load holders"
        skeleton={<Skeleton label="Loading holders" height={152} />}
      >
        {(holders) => <Holders holders={holders} token={token} />}
      </Fetched>
    </Panel>
  )
}

export function Holders({ holders, token }: { holders: readonly Holder[]; token: Token }) {
  const shown = useThrottledValue(holders, MOVES_EVERY_MS)
  if (holders.length === 0) return <p className="nothing">No holders yet</p>
  return (
    <>
      {token.ruggedAt === null ? (
        <Shares holders={holders} token={token} />
      ) : (
        <p className="nothing">These players still held the token at the rug pull. It is now worth nothing.</p>
      )}
      <HolderRows holders={shown} supply={token.supply} symbol={token.symbol} creatorId={token.creator.id} />
    </>
  )
}

function Shares({ holders, token }: { holders: readonly Holder[]; token: Token }) {
  const { supply, symbol, creatorHolding } = token
  const top = holders.slice(0, TOP).reduce((sum, { amount }) => sum.add(amount), new Decimal(0))
  return (
    <dl className="p-s-m round-s on-sunken grid gap-m cols-2">
      <Fact label={`Held by the top ${TOP}`} exact={`${top.toFixed()} ${symbol} of ${supply}`}>
        {formatShare(top.toFixed(), supply)}
      </Fact>
      <Fact label="Held by the creator" exact={`${creatorHolding} ${symbol} of ${supply}`}>
        {formatShare(creatorHolding, supply)}
      </Fact>
    </dl>
  )
}

interface HolderRowsProps {
  readonly holders: readonly Holder[]
  readonly supply: string
  readonly symbol: string
  readonly creatorId: number
}

/**
 * Shows the holders' rows. The rows are a separate component, whose props change only when holders change and not with
 * every trade.
 */
const HolderRows = memo(function HolderRows({ holders, supply, symbol, creatorId }: HolderRowsProps) {
  const user = useCurrentUser()
  return (
    <ol>
      {holders.slice(0, SHOWN).map(({ userId, username, isBot, rank, amount }) => {
        const share = new Decimal(amount).div(supply)
        return (
          <li key={userId} className={`row gap-s p-xs-s text-s clipped relative ${classes.holder}`}>
            <span
              className={`full round-s absolute ${classes.strip}`}
              style={{ '--share': share.toFixed(4) } as CSSProperties}
              aria-hidden="true"
            />
            <span className={`fixed dim bold text-center ${classes.rank}`} data-rank={rank}>
              {rank}
            </span>
            <PlayerFace id={userId} />
            <span className={`row gap-x-s grow wrap ${classes.name}`}>
              <PlayerLink id={userId} username={username} isBot={isBot} />
              <Role isOwn={userId === user?.id} isCreator={userId === creatorId} />
            </span>
            <span
              className={`fixed semibold ${classes.amount}`}
              title={`${amount} ${symbol}, ${formatShare(amount, supply)} of the supply`}
            >
              {formatTokens(amount)}
            </span>
          </li>
        )
      })}
    </ol>
  )
})

/** Use short labels, to leave space for the name. */
function Role({ isOwn, isCreator }: { isOwn: boolean; isCreator: boolean }) {
  if (!isOwn && !isCreator) return null
  return <span className="fixed px-s round dim text-xs semibold edge-strong">{isOwn ? 'you' : 'creator'}</span>
}
