import { showToast } from './toasts.ts'

export const PASSWORD_MIN = 6

/**
 * Shows a toast if a new password is too short or the two entries differ. Returns whether the password can be
 * submitted.
 */
export function isNewPassword(password: string, confirm: string): boolean {
  if (password === confirm && password.length >= PASSWORD_MIN) return true
  const [title, message] =
    password === confirm
      ? ['Password too short', `Password must be at least ${PASSWORD_MIN} characters`]
      : ["Passwords don't match", 'Please make sure your passwords match']
  showToast({ title, message, kind: 'destructive' })
  return false
}
