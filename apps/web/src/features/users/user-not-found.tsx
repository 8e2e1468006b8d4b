import { ButtonLink } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { useTitle } from '../../lib/use-title.ts'

/** Stands where no player has the address's id. */
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
