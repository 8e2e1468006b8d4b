import { useMutation } from '@tanstack/react-query'
import { Button } from '../../components/form/button.tsx'
import { client, trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { cacheFollows, useFollow } from '../../lib/hooks/use-follow.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import { ReportButton } from './report-button.tsx'
import classes from './talk.module.css'

/** A button beside a creator's name that follows the creator. */
export function FollowCreator({ id, name }: { readonly id: number; readonly name: string }) {
  const user = useCurrentUser()
  const { isOn, press, label } = useFollow({ kind: 'player', id })
  if (user?.id === id) return null
  return (
    <button
      type="button"
      className={`accent text-s semibold ${classes.beside}`}
      aria-pressed={isOn}
      aria-label={`${label} ${name}`}
      onClick={press}
    >
      {label}
    </button>
  )
}

/** Buttons that follow, report or block a player. The buttons do not appear on the player's own profile. */
export function FollowButton({ id }: { readonly id: UserId }) {
  const user = useCurrentUser()
  const profile = trpc.users.profile.useQuery({ id }).data
  const follows = trpc.follows.list.useQuery(undefined, { enabled: user !== null }).data
  const { isOn, press, label } = useFollow({ kind: 'player', id })
  const name = profile?.user.username ?? 'this player'
  const isBlocked = follows?.blocked.some((player) => player.id === id) === true
  const block = useMutation({
    mutationFn: () => (isBlocked ? client.follows.unblock : client.follows.block).mutate({ userId: id }),
    meta: { failure: isBlocked ? 'Could not unblock the player' : 'Could not block the player' },
    onSuccess: (list) => {
      const isNew = list.blocked.some((player) => player.id === id)
      if (isNew) showToast({ title: `${name} is blocked`, message: 'You no longer see each other’s posts.' })
      cacheFollows(list)
    },
  })
  if (user?.id === id) return null
  return (
    <span className="row gap-s wrap mt-xs">
      <Button look="quiet" aria-pressed={isOn} aria-label={`${label} ${name}`} onClick={press}>
        {label}
      </Button>
      <ReportButton
        id={id}
        label={`Report ${name}`}
        kinds={profile?.user.profilePictureUrl == null ? ['name'] : ['name', 'picture']}
      />
      {user !== null && (
        <button type="button" className={classes.action} onClick={() => block.mutate()}>
          {isBlocked ? `Unblock ${name}` : `Block ${name}`}
        </button>
      )}
    </span>
  )
}
