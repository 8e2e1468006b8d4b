import { useTitle } from '../../lib/hooks/use-title.ts'
import { ButtonLink } from '../form/button.tsx'
import { Notice } from './notice.tsx'

/** Shown for any address that no route matches. */
export function NotFoundScreen() {
  useTitle('404')
  return (
    <Notice level={1} emoji="🌒" title="404 Page Not Found" action={<ButtonLink to="/">Back to the fair</ButtonLink>}>
      There is no tent at this address. Somebody took it down, or it was only paper.
    </Notice>
  )
}
