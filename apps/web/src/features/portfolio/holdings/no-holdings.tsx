import { Notice } from '../../../components/feedback/notice.tsx'
import { ButtonLink } from '../../../components/form/button.tsx'

/** Shown when a player has no holdings. */
export function NoHoldings() {
  return (
    <Notice level={3} emoji="👛" title="No holdings" action={<ButtonLink to="/">Find a token to buy</ButtonLink>}>
      Your pockets are full of SOL and empty of tokens.
    </Notice>
  )
}
