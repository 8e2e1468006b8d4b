import { Notice } from '../../../components/feedback/notice.tsx'
import { ButtonLink } from '../../../components/form/button.tsx'

/** What stands where a player holds nothing. */
export function NoHoldings() {
  return (
    <Notice level={3} emoji="👛" title="No holdings" action={<ButtonLink to="/">Find a token to buy</ButtonLink>}>
      Your pockets are full of SOL and empty of tokens.
    </Notice>
  )
}
