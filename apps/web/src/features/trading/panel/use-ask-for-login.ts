import { useNavigate } from '@tanstack/react-router'
import { showToast } from '../../../lib/ui/toasts.ts'

/** Returns a function that sends a guest to the login, with a toast that says why. */
export function useAskForLogin(): () => void {
  const navigate = useNavigate()
  return () => {
    showToast({
      title: 'Login Required',
      message: 'Please login or register to trade tokens',
      kind: 'destructive',
    })
    void navigate({ to: '/auth' })
  }
}
