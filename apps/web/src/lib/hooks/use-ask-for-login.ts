import { useNavigate } from '@tanstack/react-router'
import { isSessionOver } from '../api/current-user.ts'
import { type Intent, keepIntent } from '../market/kept-intent.ts'
import { showToast } from '../ui/toasts.ts'

/** A tab of the auth screen. */
export type AuthTab = 'login' | 'register'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The tab that /auth opens, with its first field focused. */
    readonly authTab?: AuthTab
    /** Where /auth leads after signing in; home by default. */
    readonly returnTo?: '/developers' | '/tape' | `/fairs?make=${'room' | 'cup'}` | `/fairs/${string}`
  }
}

/**
 * Returns a function that leads a visitor to /auth, with a toast that says what for: "trade tokens". The intent is kept
 * and offered again after signing in. Open `login` for players whose session has ended, `register` for guests.
 */
export function useAskForLogin(purpose: string): (intent: Intent | null, authTab: AuthTab) => void {
  const navigate = useNavigate()
  return (intent, authTab) => {
    if (intent !== null) keepIntent(intent)
    showToast({ title: 'Login Required', message: `Please login or register to ${purpose}`, kind: 'destructive' })
    void navigate({ to: '/auth', state: { authTab: isSessionOver() ? 'login' : authTab } })
  }
}
