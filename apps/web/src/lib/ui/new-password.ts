import { showToast } from './toasts.ts'

export const PASSWORD_MIN = 6

/** Says with a toast that the two passwords differ; returns whether they are the same. */
export function passwordsMatch(password: string, confirm: string): boolean {
  if (password === confirm) return true
  showToast({
    title: "Passwords don't match",
    message: 'Please make sure your passwords match',
    kind: 'destructive',
  })
  return false
}

/** Says with a toast what a new password lacks; returns whether it may be sent. */
export function isNewPassword(password: string, confirm: string): boolean {
  if (!passwordsMatch(password, confirm)) return false
  if (password.length >= PASSWORD_MIN) return true
  showToast({
    title: 'Password too short',
    message: `Password must be at least ${PASSWORD_MIN} characters`,
    kind: 'destructive',
  })
  return false
}
