import { Button } from '../../components/form/button.tsx'
import { client, trpc, type UserId } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import { attempt } from '../../lib/ui/attempt.ts'
import { ReportButton } from './report-button.tsx'
import classes from './talk.module.css'

interface FollowButtonProps {
  readonly kind: 'player' | 'token'
  readonly id: number
  readonly name: string
}

/** Follows a player or a token, or no longer, and reports them. Nobody does either to themselves. */
export function FollowButton({ kind, id, name }: FollowButtonProps) {
  const user = useCurrentUser()
  const ask = useAskForLogin('follow')
  const utils = trpc.useUtils()
  const profile = trpc.users.profile.useQuery({ id: id as UserId }, { enabled: kind === 'player' }).data
  const follows = trpc.follows.list.useQuery(undefined, { enabled: user !== null }).data
  if (kind === 'player' && user?.id === id) return null
  const isOn =
    kind === 'player' ? follows?.players.some((player) => player.id === id) : follows?.tokenIds.some((it) => it === id)
  const press = async () => {
    if (user === null) return ask(null, 'register')
    const change = isOn === true ? client.follows.unfollow : client.follows.follow
    await attempt('Not done', async () => utils.follows.list.setData(undefined, await change.mutate({ kind, id })))
  }
  return (
    <span className={classes.actions}>
      <Button look="quiet" aria-pressed={isOn === true} aria-label={`Follow ${name}`} onClick={() => void press()}>
        {isOn === true ? 'Following' : 'Follow'}
      </Button>
      <ReportButton
        id={id}
        label={`Report ${name}`}
        kinds={kind === 'token' ? ['token'] : profile?.user.profilePictureUrl == null ? ['name'] : ['name', 'picture']}
      />
    </span>
  )
}
