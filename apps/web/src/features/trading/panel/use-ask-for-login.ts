import { useNavigate } from '@tanstack/react-router'
import { showToast } from '../../../lib/ui/toasts.ts'

/** Leads a guest, or whose session ended, to the login, and says why. */
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
