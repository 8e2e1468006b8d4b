import { useEffect, useState } from 'react'
import { cache, trpc } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'

/**
 * The picture to show, and the way to take an uploaded file for it. The file itself is shown at once; when the server
 * has taken it, the current user is fetched again, and when it refuses, the picture from before is back.
 */
export function useProfilePicture(serverUrl: string | null) {
  const [localUrl, setLocalUrl] = useState<string | null>(null)
  // The file's address holds its bytes in memory until it is given back.
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
