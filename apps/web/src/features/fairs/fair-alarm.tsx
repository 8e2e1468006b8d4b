import { Decimal, SUPPLY, solText } from '@papermoon/amm'
import { formatShare, formatSol } from '@papermoon/format'
import { useEffect, useRef } from 'react'
import { type Fair, type FairBag, type FairTrade, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { hasJoined } from '../../lib/fairs/fair-time.ts'
import { showToast, type Toast } from '../../lib/ui/toasts.ts'

/** Number of a fair's newest trades that its pages read. */
export const TRADES_SHOWN = 12
/** Number of tokens from which a sale is worth a warning: a twentieth of the supply. */
const DUMP = SUPPLY.div(20)
/** Part of the stake from which a purchase is worth a message. */
const LARGE_PART = 0.1

/**
 * Tells a player while a fair is running when someone else sells much of a token that the player holds, or when a person
 * buys much of a token that the player launched.
 */
export function FairAlarm({ fair }: { fair: Fair }) {
  const { id, stake } = fair
  const user = useCurrentUser()
  const enabled = hasJoined(fair) && fair.state === 'open'
  const trades = trpc.fairs.trades.useQuery({ id, limit: TRADES_SHOWN }, { enabled })
  const bag = trpc.fairs.bag.useQuery({ id }, { enabled })
  const tokens = trpc.fairs.tokens.useQuery({ id }, { enabled }).data
  // Wait until the bag is as new as the trades, because both are fetched at once.
  const isComplete = bag.dataUpdatedAt >= trades.dataUpdatedAt
  const [page, holdings] = [trades.data?.trades, bag.data?.holdings]
  const known = useRef<{ readonly newest: number; readonly before: Holdings } | null>(null)
  useEffect(() => {
    if (page === undefined || holdings === undefined || tokens === undefined || user === null || !isComplete) return
    const { newest, before } = known.current ?? { newest: Number.POSITIVE_INFINITY, before: [] }
    known.current = { newest: page[0]?.id ?? 0, before: holdings }
    const fresh = page.filter((trade) => trade.id > newest && trade.userId !== user.id)
    const own = new Set(tokens.filter(({ creator }) => creator.id === user.id).map((token) => token.id))
    const news = findNews(fresh, { before, now: holdings, own, stake })
    if (news !== null) showToast(news)
  }, [page, holdings, tokens, user, stake, isComplete])
  return null
}

type Holdings = FairBag['holdings']

interface Owned {
  /** The player's holdings before and after the trades. */
  readonly before: Holdings
  readonly now: Holdings
  /** Ids of the tokens that the player launched. */
  readonly own: ReadonlySet<number>
  readonly stake: string
}

/** Returns the most important message about new trades of others, or null if there is none. */
export function findNews(trades: readonly FairTrade[], { before, now, own, stake }: Owned): Toast | null {
  const dump = trades.find(
    ({ side, tokenAmount, tokenId }) =>
      side === 'sell' && DUMP.lte(tokenAmount) && now.some(({ token }) => token.id === tokenId),
  )
  if (dump !== undefined) {
    const heldIn = (holdings: Holdings) => holdings.find(({ token }) => token.id === dump.tokenId)
    const [old, held] = [heldIn(before), heldIn(now)]
    // If the player has traded the token meanwhile, the difference is not only that of the sale.
    const lost = new Decimal(old !== undefined && old.amount === held?.amount ? old.cashOut : 0).sub(held?.cashOut ?? 0)
    const effect = lost.gt(0) ? ` Your tokens now pay ${formatSol(solText(lost), 2)} SOL less.` : ''
    return {
      title: `${dump.username} sold ${dump.tokenSymbol}`,
      message: `The sale was ${formatShare(dump.tokenAmount, SUPPLY.toFixed())} of all tokens.${effect}`,
      kind: 'loss',
      link: { label: 'Open', path: `/token/${dump.tokenId}` },
    }
  }
  const large = new Decimal(stake).mul(LARGE_PART)
  const buy = trades.find(
    ({ side, isBot, tokenId, solAmount }) => side === 'buy' && !isBot && own.has(tokenId) && large.lte(solAmount),
  )
  if (buy === undefined) return null
  return {
    title: `${buy.username} bought your ${buy.tokenSymbol}`,
    message: `The purchase was ${formatSol(buy.solAmount, 2)} SOL.`,
    kind: 'news',
    link: { label: 'Open', path: `/token/${buy.tokenId}` },
  }
}
