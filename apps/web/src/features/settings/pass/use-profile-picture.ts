import { useEffect, useState } from 'react'
import { cache, trpc } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'

/**
 * The profile picture and a function that replaces it by an uploaded file. Shows the local file at once, refetches the
 * user when the server accepts it, and restores the old picture when it refuses.
 */
export function useProfilePicture(serverUrl: string | null) {
  const [localUrl, setLocalUrl] = useState<string | null>(null)
  // Object URLs keep the file in memory until revoked.
  useEffect(() => () => (localUrl === null ? undefined : URL.revokeObjectURL(localUrl)), [localUrl])

  const update = trpc.uploads.setProfilePicture.useMutation({
    onSuccess: async () => {
      showToast({ title: 'Profile Updated', message: 'Your profile picture has been updated successfully' })
      await cache.auth.me.invalidate()
    },
    onError: (error) => showFailure('Update Failed', getSentence(error), 'Failed to update profile picture'),
    onSettled: () => setLocalUrl(null),
  })
  const take = (uploadURL: string, file: File) => {
    setLocalUrl(URL.createObjectURL(file))
    update.mutate({ profilePictureUrl: uploadURL })
  }
  return { url: localUrl ?? serverUrl, isSaving: update.isPending, take }
}
