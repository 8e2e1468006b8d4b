import { useMutation } from '@tanstack/react-query'
import { cache, client } from '../api/api.ts'
import { showToast } from '../ui/toasts.ts'

/** Sets the date of the account's deletion in the cache, or null if the deletion was cancelled. */
export function setDeletionDue(deletionDueAt: string | null): void {
  cache.auth.me.setData(undefined, (user) => (user ? { ...user, deletionDueAt } : user))
  void cache.account.events.invalidate()
}

export function useKeepAccount(): { readonly keep: () => void; readonly isPending: boolean } {
  const undo = useMutation({
    mutationFn: () => client.account.undoDeletion.mutate(),
    onSuccess: () => {
      setDeletionDue(null)
      showToast({ title: 'Account deletion cancelled', message: 'Welcome back. Your account will not be deleted.' })
    },
    meta: { failure: 'Could not cancel the account deletion' },
  })
  return { keep: () => undo.mutate(), isPending: undo.isPending }
}
