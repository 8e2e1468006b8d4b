import { useNavigate } from '@tanstack/react-router'
import { showToast } from '../ui/toasts.ts'

/** Returns a function that sends a guest to the login, with a toast that says what for: "trade tokens". */
export function useAskForLogin(purpose: string): () => void {
  const navigate = useNavigate()
  return () => {
    showToast({ title: 'Login Required', message: `Please login or register to ${purpose}`, kind: 'destructive' })
    void navigate({ to: '/auth' })
  }
}
