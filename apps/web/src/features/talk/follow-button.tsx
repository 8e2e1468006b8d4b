import { useMutation } from '@tanstack/react-query'
import { Button } from '../../components/form/button.tsx'
import { cache, client, type Follows, trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import { ReportButton } from './report-button.tsx'
import classes from './talk.module.css'

interface FollowButtonProps {
  readonly kind: 'player' | 'token'
  readonly id: number
}

/** Returns whether the player follows something, and a function that changes it. */
function useFollow({ kind, id }: FollowButtonProps) {
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

function cacheFollows(list: Follows): void {
  cache.follows.list.setData(undefined, list)
  void cache.follows.of.invalidate()
}

/** A button beside a creator's name that follows the creator's token. */
export function FollowCreator({ id, name }: { readonly id: number; readonly name: string }) {
  const user = useCurrentUser()
  const { isOn, press, label } = useFollow({ kind: 'player', id })
  if (user?.id === id) return null
  return (
    <button
      type="button"
      className={`p-m accent text-s semibold ${classes.beside}`}
      aria-pressed={isOn}
      aria-label={`${label} ${name}`}
      onClick={press}
    >
      {label}
    </button>
  )
}

/**
 * Buttons that follow, report or block a player, or follow or report a token. The player's own profile has no such
 * buttons.
 */
export function FollowButton({ kind, id }: FollowButtonProps) {
  const user = useCurrentUser()
  const profile = trpc.users.profile.useQuery({ id: id as UserId }, { enabled: kind === 'player' }).data
  const follows = trpc.follows.list.useQuery(undefined, { enabled: user !== null }).data
  const { isOn, press, label } = useFollow({ kind, id })
  const name = kind === 'token' ? 'this token' : (profile?.user.username ?? 'this player')
  const isBlocked = kind === 'player' && follows?.blocked.some((player) => player.id === id) === true
  const block = useMutation({
    mutationFn: () => (isBlocked ? client.follows.unblock : client.follows.block).mutate({ userId: id as UserId }),
    meta: { failure: isBlocked ? 'Could not unblock the player' : 'Could not block the player' },
    onSuccess: (list) => {
      const isNew = list.blocked.some((player) => player.id === id)
      if (isNew) showToast({ title: `${name} is blocked`, message: 'You no longer see each other’s posts.' })
      cacheFollows(list)
    },
  })
  if (kind === 'player' && user?.id === id) return null
  return (
    <span className={`row gap-s wrap mt-xs ${classes.actions}`}>
      <Button look="quiet" aria-pressed={isOn} aria-label={`${label} ${name}`} onClick={press}>
        {label}
      </Button>
      <ReportButton
        id={id}
        label={`Report ${name}`}
        kinds={kind === 'token' ? ['token'] : profile?.user.profilePictureUrl == null ? ['name'] : ['name', 'picture']}
      />
      {kind === 'player' && user !== null && (
        <button type="button" className={classes.action} onClick={() => block.mutate()}>
          {isBlocked ? `Unblock ${name}` : `Block ${name}`}
        </button>
      )}
    </span>
  )
}
