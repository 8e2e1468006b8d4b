import { Notice } from '../../components/feedback/notice.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { useTitle } from '../../lib/hooks/use-title.ts'

export function TokenNotFound() {
  useTitle('Token not found')
  return (
    <Notice level={1} emoji="🎟️" title="Token not found" action={<ButtonLink to="/">Back to the fairground</ButtonLink>}>
      This token doesn't exist or has been removed.
    </Notice>
  )
}
