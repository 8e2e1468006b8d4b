import { useNavigate } from '@tanstack/react-router'
import { isSessionOver } from '../api/current-user.ts'
import { type Intent, storeIntent } from '../market/stored-intent.ts'
import { showToast } from '../ui/toasts.ts'

/** The name of a tab on the login screen. */
type AuthTab = 'login' | 'register'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The tab that the screen /auth opens and focuses. */
    readonly authTab?: AuthTab
    /** The page that /auth opens after login (default: the home page). */
    readonly returnTo?: '/developers' | '/tape' | `/fairs?make=${'room' | 'cup'}` | `/fairs/${string}`
    /** Whether /fairs starts a quick arena at once, because a button on another page requested it. */
    readonly beginsQuick?: true
  }
}

/**
 * Returns a function that sends a visitor to /auth. A toast names the action that needs an account, such as "trade
 * tokens". This browser stores the action and offers it again after login. Guests register, and players whose session
 * is over log in.
 */
export function useAskForLogin(purpose: string): (intent?: Intent) => void {
  const navigate = useNavigate()
  return (intent) => {
    if (intent !== undefined) storeIntent(intent)
    showToast({ title: 'Login Required', message: `Please login or register to ${purpose}`, kind: 'destructive' })
    void navigate({ to: '/auth', state: { authTab: isSessionOver() ? 'login' : 'register' } })
  }
}
