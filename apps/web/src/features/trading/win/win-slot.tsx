import { type CurrentUser, type Token, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'

const WinPanel = lazyPart(() => import('./win-panel.tsx'), 'WinPanel')

/** Offers a result card to a player who sold all of the token, or whose tokens were rugged. */
export function WinSlot({ token }: { token: Token }) {
  const user = useCurrentUser()
  return user === null ? null : <PlayersWinSlot token={token} user={user} />
}

function PlayersWinSlot({ token, user }: { token: Token; user: CurrentUser }) {
  const { id } = token
  const position = trpc.trading.position.useQuery({ tokenId: id })
  // Use the same query as the chart's markers, so that there is only one request.
  const marked = trpc.tokens.markedTrades.useQuery({ id })
  const last = marked.data?.find(({ userId }) => userId === user.id)
  const isClosed = position.data?.amount === '0' || token.ruggedAt !== null
  if (!isClosed || last === undefined) return null
  // Fetch each closed position only once.
  return <WinPanel key={last.seq} token={token} user={user} />
}
