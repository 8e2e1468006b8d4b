import { useEffect } from 'react'
import { type Token, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { readStored, store } from '../../lib/ui/stored.ts'

/** Quest steps that no journal records, stored in this browser. */
type Kept = 'skipped' | 'answered'

const toKey = (kept: Kept) => `papermoon-quest-${kept}`

export function isQuestDone(kept: Kept): boolean {
  return readStored(toKey(kept)) !== null
}

export function storeQuest(kept: Kept): void {
  store(toKey(kept), 'yes')
}

/** Records on a token's page that someone traded after the player did. */
export function WatchAnswer({ token }: { token: Token }) {
  const user = useCurrentUser()
  const trades = trpc.tokens.trades.useQuery({ id: token.id }, { enabled: user !== null && !isQuestDone('answered') })
  const own = trades.data?.findIndex(({ userId }) => userId === user?.id) ?? -1
  useEffect(() => {
    // The trades are newest first.
    if (own > 0) storeQuest('answered')
  }, [own])
  return null
}
