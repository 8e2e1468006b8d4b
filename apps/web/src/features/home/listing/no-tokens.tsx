import { Notice } from '../../../components/feedback/notice.tsx'
import { Button, ButtonLink } from '../../../components/form/button.tsx'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import type { ListingChoice } from './listing-choice.ts'

interface NoTokensProps {
  readonly search: string
  readonly hidesRugged: boolean
  readonly onChange: (part: ListingChoice) => void
}

export function NoTokens({ search, hidesRugged, onChange }: NoTokensProps) {
  const user = useCurrentUser()
  const isSearch = search !== ''
  return (
    <Notice
      emoji="🎟️"
      title="No tokens found"
      action={
        <span className="acts">
          {isSearch && <Button onClick={() => onChange({ q: '' })}>Clear the search</Button>}
          {hidesRugged && (
            <Button look={isSearch ? 'quiet' : 'moon'} onClick={() => onChange({ rugged: undefined })}>
              Show rugged tokens
            </Button>
          )}
          {user === null ? (
            <ButtonLink to="/auth" look={isSearch || hidesRugged ? 'quiet' : 'moon'}>
              Login / Register
            </ButtonLink>
          ) : (
            <ButtonLink to="/launch" look={isSearch || hidesRugged ? 'quiet' : 'moon'}>
              Launch Token
            </ButtonLink>
          )}
        </span>
      }
    >
      Be the first to launch a token!
    </Notice>
  )
}
