import { showToast } from './toasts.ts'

export const PASSWORD_MIN = 6

/** Shows a toast when the passwords differ; returns whether they match. */
export function passwordsMatch(password: string, confirm: string): boolean {
  if (password === confirm) return true
  showToast({
    title: "Passwords don't match",
    message: 'Please make sure your passwords match',
    kind: 'destructive',
  })
  return false
}

/** Shows a toast when a new password is too short or differs; returns whether it can be submitted. */
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
