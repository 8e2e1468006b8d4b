import type { ReactNode } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Position, type TokenId, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { getReason } from '../../lib/api/failure.ts'
import { formatTokens } from '../../lib/format/format.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { TokenNotFound } from './token-not-found.tsx'
import { TokenSkeleton } from './token-skeleton.tsx'

/** A hidden token has no live feed, so its pool is refetched, ms. */
const POOL_EVERY_MS = 5_000

/** A hidden token and how much of it the player holds. */
export interface HiddenHolding {
  readonly token: NonNullable<Position['hiddenToken']> & { readonly id: TokenId }
  readonly amount: string
}

interface MissingTokenProps {
  readonly id: TokenId
  readonly sale: (holding: HiddenHolding) => ReactNode
}

/** Shown for a token without a public page: its holders can still sell it if an operator has hidden it. */
export function MissingToken(props: MissingTokenProps) {
  return useCurrentUser() === null ? <TokenNotFound /> : <MissingForPlayer {...props} />
}

function MissingForPlayer({ id, sale }: MissingTokenProps) {
  const { data, error, refetch } = trpc.trading.position.useQuery(
    { tokenId: id },
    // Only a hidden token that the player holds has a pool to follow.
    { refetchInterval: ({ state }) => state.data?.hiddenToken !== undefined && POOL_EVERY_MS },
  )
  if (getReason(error) === 'TOKEN_NOT_FOUND') return <TokenNotFound />
  if (data?.hiddenToken !== undefined) {
    return <HiddenToken holding={{ token: { ...data.hiddenToken, id }, amount: data.amount }} sale={sale} />
  }
  if (data !== undefined) return <TokenNotFound />
  if (error === null) return <TokenSkeleton />
  return <FetchFailed level={1} title="The token is out of reach" error={error} onRetry={() => void refetch()} />
}

function HiddenToken({ holding, sale }: { holding: HiddenHolding; sale: MissingTokenProps['sale'] }) {
  const { name, symbol, ruggedAt } = holding.token
  useTitle(`${symbol} · ${name}`)
  const held = `You hold ${formatTokens(holding.amount)} ${symbol}`
  const end = ruggedAt === null ? 'which you can still sell' : 'but its rug was pulled, so there is nothing to sell'
  return (
    <>
      <PageHead
        title={name}
        lead={`An operator has hidden this token. Nobody can find or buy it any more, and only its holders see this page. ${held}, ${end}.`}
      />
      {ruggedAt === null && <Panel title={`Sell ${symbol}`}>{sale(holding)}</Panel>}
    </>
  )
}
