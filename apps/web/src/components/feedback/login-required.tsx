import { useTitle } from '../../lib/hooks/use-title.ts'
import { ButtonLink } from '../form/button.tsx'
import { Notice } from './notice.tsx'

export function LoginRequired({ children }: { children: string }) {
  useTitle('Login Required')
  return (
    <Notice level={1} emoji="🎟️" title="Login Required" action={<ButtonLink to="/auth">Login / Register</ButtonLink>}>
      {children}
    </Notice>
  )
}
