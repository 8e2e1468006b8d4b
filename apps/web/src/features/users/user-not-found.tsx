import { Notice } from '../../components/feedback/notice.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { useTitle } from '../../lib/hooks/use-title.ts'

/** Shown when no player has the address's id. */
export function UserNotFound() {
  useTitle('User not found')
  return (
    <Notice
      level={1}
      emoji="🎭"
      title="User not found"
      action={<ButtonLink to="/leaderboard">See who is winning</ButtonLink>}
    >
      This user doesn't exist.
    </Notice>
  )
}
