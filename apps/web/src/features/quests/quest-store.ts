import { useEffect } from 'react'
import { type Token, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { readStored, store } from '../../lib/ui/stored.ts'

/** First steps of a new player that only this browser records. */
type BrowserQuest = 'skipped' | 'answered'

const toKey = (quest: BrowserQuest) => `papermoon-quest-${quest}`

export function isQuestDone(quest: BrowserQuest): boolean {
  return readStored(toKey(quest)) !== null
}

export function storeQuest(quest: BrowserQuest): void {
  store(toKey(quest), 'yes')
}

/** Records when someone trades a token after the player. Render this component on the token's page. */
export function WatchAnswer({ token }: { token: Token }) {
  const user = useCurrentUser()
  const trades = trpc.tokens.trades.useQuery({ id: token.id }, { enabled: user !== null && !isQuestDone('answered') })
  const own = trades.data?.findIndex(({ userId }) => userId === user?.id) ?? -1
  useEffect(() => {
    // The newest trade comes first in the list.
    if (own > 0) storeQuest('answered')
  }, [own])
  return null
}
