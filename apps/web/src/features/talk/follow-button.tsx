import { Button } from '../../components/form/button.tsx'
import { client, trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import { attempt } from '../../lib/ui/attempt.ts'
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
  const utils = trpc.useUtils()
  const follows = trpc.follows.list.useQuery(undefined, { enabled: user !== null }).data
  const isOn =
    follows !== undefined &&
    (kind === 'player' ? follows.players.some((player) => player.id === id) : follows.tokenIds.some((it) => it === id))
  const press = async () => {
    if (user === null) return ask(null, 'register')
    const change = isOn ? client.follows.unfollow : client.follows.follow
    await attempt('Could not update who you follow', async () => {
      utils.follows.list.setData(undefined, await change.mutate({ kind, id }))
      await utils.follows.of.invalidate()
    })
  }
  return { isOn, press: () => void press(), label: isOn ? 'Following' : 'Follow' }
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
  const utils = trpc.useUtils()
  const profile = trpc.users.profile.useQuery({ id: id as UserId }, { enabled: kind === 'player' }).data
  const follows = trpc.follows.list.useQuery(undefined, { enabled: user !== null }).data
  const { isOn, press, label } = useFollow({ kind, id })
  const name = kind === 'token' ? 'this token' : (profile?.user.username ?? 'this player')
  if (kind === 'player' && user?.id === id) return null
  const isBlocked = kind === 'player' && follows?.blocked.some((player) => player.id === id) === true
  const toggleBlock = () =>
    attempt(isBlocked ? 'Could not unblock the player' : 'Could not block the player', async () => {
      const change = isBlocked ? client.follows.unblock : client.follows.block
      utils.follows.list.setData(undefined, await change.mutate({ userId: id as UserId }))
      if (!isBlocked) showToast({ title: `${name} is blocked`, message: 'You no longer see each other’s posts.' })
      await utils.follows.of.invalidate()
    })
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
        <button type="button" className={classes.action} onClick={() => void toggleBlock()}>
          {isBlocked ? `Unblock ${name}` : `Block ${name}`}
        </button>
      )}
    </span>
  )
}
