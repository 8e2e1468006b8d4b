import { useMutation } from '@tanstack/react-query'
import { cache, client, type Follows, trpc } from '../api/api.ts'
import { useCurrentUser } from '../api/current-user.ts'
import { useAskForLogin } from './use-ask-for-login.ts'

interface Followed {
  readonly kind: 'player' | 'token'
  readonly id: number
}

/** Returns whether the player follows something, and a function that follows or unfollows it. */
export function useFollow({ kind, id }: Followed) {
  const user = useCurrentUser()
  const ask = useAskForLogin('follow')
  const follows = trpc.follows.list.useQuery(undefined, { enabled: user !== null }).data
  const isOn =
    follows !== undefined &&
    (kind === 'player' ? follows.players.some((player) => player.id === id) : follows.tokenIds.some((it) => it === id))
  const { mutate } = useMutation({
    mutationFn: () => (isOn ? client.follows.unfollow : client.follows.follow).mutate({ kind, id }),
    meta: { failure: 'Could not update who you follow' },
    onSuccess: cacheFollows,
  })
  return { isOn, press: () => (user === null ? ask() : mutate()), label: isOn ? 'Following' : 'Follow' }
}

export function cacheFollows(list: Follows): void {
  cache.follows.list.setData(undefined, list)
  void cache.follows.of.invalidate()
}
