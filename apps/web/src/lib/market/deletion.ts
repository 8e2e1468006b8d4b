import { useMutation } from '@tanstack/react-query'
import { cache, client } from '../api/api.ts'
import { sentenceOf } from '../api/failure.ts'
import { showFailure, showToast } from '../ui/toasts.ts'

/** Puts into the cache when the account is to be deleted, for every place that shows it; null: it stays. */
export function setDeletionDue(deletionDueAt: string | null): void {
  cache.auth.me.setData(undefined, (user) => (user ? { ...user, deletionDueAt } : user))
  void cache.account.events.invalidate()
}

/** Keeps an account that is to be deleted. */
export function useKeepAccount(): { readonly keep: () => void; readonly isPending: boolean } {
  const undo = useMutation({
    mutationFn: () => client.account.undoDeletion.mutate(),
    onSuccess: () => {
      setDeletionDue(null)
      showToast({ title: 'Account Kept', message: 'Good to have you. Nothing will be deleted.' })
    },
    onError: (error) => showFailure('Not Undone', sentenceOf(error), 'Failed to keep the account'),
  })
  return { keep: () => undo.mutate(), isPending: undo.isPending }
}

/** A day and time as the visitor writes them: `29 November 2026 at 10:04`. */
export function longTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })
}
