import { useCurrentUser } from '../../../../lib/api/current-user.ts'

/** A hidden field that tells password managers whose password a form asks for. */
export function AccountName() {
  const user = useCurrentUser()
  return <input type="email" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
}
