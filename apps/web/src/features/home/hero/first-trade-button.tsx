import { type ReactNode, useEffect } from 'react'
import { ButtonLink } from '../../../components/form/button.tsx'
import { type Token, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import { forgetIntent, storeIntent } from '../../../lib/market/stored-intent.ts'

/** Amount of SOL that the page suggests for a first trade. */
const FIRST_BUY = '1'

/** Fetch the data again, because the player may have traded meanwhile and other tokens may be rising. */
const NOW = { refetchOnMount: 'always', refetchInterval: 15_000 } as const

/**
 * Links a new player to a lively token, whose trade panel then contains a small purchase. Renders `fallback` if the
 * player has already traded, or if no token is open.
 */
export function FirstTradeButton({ fallback }: { fallback: ReactNode }) {
  const user = useCurrentUser()
  const trades = trpc.users.trades.useQuery({ id: user?.id ?? (0 as never), limit: 1 }, NOW)
  const movers = trpc.tokens.movers.useQuery(undefined, NOW)
  const hasTraded = trades.data !== undefined && trades.data.length > 0
  useEffect(() => {
    if (hasTraded) forgetIntent()
  }, [hasTraded])
  if (hasTraded || trades.isError || movers.isError) return fallback
  if (!trades.isFetchedAfterMount || movers.data === undefined) return null
  const token = findLively(movers.data, serverNow())
  if (token === undefined) return fallback
  return (
    <ButtonLink
      to="/token/$id"
      params={{ id: String(token.id) }}
      tall
      onClick={() => storeIntent({ kind: 'trade', side: 'buy', tokenId: token.id, amount: FIRST_BUY })}
    >
      <span className="fit tight text-center breaks">
        Make your first trade: buy {token.symbol} for {FIRST_BUY} SOL
      </span>
    </ButtonLink>
  )
}

type Mover = Pick<Token, 'id' | 'symbol' | 'ruggedAt' | 'seal'>
type Movers = Readonly<Record<'rising' | 'hot' | 'fresh', readonly Mover[]>>

/**
 * Returns the first open token whose liquidity is sealed, so that a beginner's first token cannot be rugged. Looks among
 * the rising tokens, then among the most traded ones, and then among the new ones. If no token is sealed, returns the
 * first open one.
 */
export function findLively({ rising, hot, fresh }: Movers, nowMs: number): Mover | undefined {
  const open = [...rising, ...hot, ...fresh].filter(({ ruggedAt }) => ruggedAt === null)
  return open.find(({ seal }) => Date.parse(seal?.liquidityUntil ?? '') > nowMs) ?? open[0]
}
