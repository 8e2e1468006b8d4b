import { useEffect, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import stub from '../../../components/layout/stub.module.css'
import { type CurrentUser, cache, trpc } from '../../../lib/api/api.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { PictureDialog } from './picture-dialog.tsx'
import classes from './player-pass.module.css'

export function PlayerPass({ user, className = '' }: { user: CurrentUser; className?: string | undefined }) {
  const [isChoosing, setChoosing] = useState(false)
  const picture = useProfilePicture(user.profilePictureUrl)
  return (
    <section className={`${stub.notched} round-l on-surface ${classes.pass} ${className}`} aria-label="Your profile">
      <div className={`stack middle between p-m-l text-s bold on-moon ${classes.band}`} aria-hidden="true">
        <span className={`round on-ground ${classes.slot}`} />
        Player pass
      </div>
      <div className="stack middle gap-l p-xl torn-top">
        <PassPicture username={user.username} url={picture.url} />
        <Button onClick={() => setChoosing(true)} disabled={picture.isSaving}>
          {user.profilePictureUrl === null ? 'Upload Picture' : 'Change Picture'}
        </Button>
        <p className="small text-center balance">Upload an image for your profile (max 5MB)</p>
      </div>
      <dl className="stack gap-m p-l torn-top breaks">
        <div>
          <dt className="small">Username</dt>
          <dd className="text-l bold">{user.username}</dd>
        </div>
        <div>
          <dt className="small">Email</dt>
          <dd>{user.email ?? 'Not provided'}</dd>
        </div>
      </dl>
      {isChoosing && <PictureDialog onClose={() => setChoosing(false)} onUploaded={picture.take} />}
    </section>
  )
}

const SIDE_PX = 148

interface PassPictureProps {
  readonly username: string
  readonly url: string | null
}

function PassPicture({ username, url }: PassPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  if (url !== null && url !== brokenUrl) {
    return (
      <img
        className={`round on-stub ${classes.picture}`}
        src={url}
        alt="Your profile"
        width={SIDE_PX}
        height={SIDE_PX}
        onError={() => setBrokenUrl(url)}
      />
    )
  }
  const [first = '?'] = username
  return (
    <span
      className={`round display solid boxed on-stub ${classes.picture}`}
      style={{ fontSize: SIDE_PX / 2 }}
      role="img"
      aria-label={`No picture yet. The letter ${first.toUpperCase()} takes its place.`}
    >
      {first.toUpperCase()}
    </span>
  )
}

/**
 * Returns the profile picture, and a function that replaces it with an uploaded file. The chosen file appears at once.
 * If the server rejects the file, the old picture appears again.
 */
function useProfilePicture(serverUrl: string | null) {
  const [localUrl, setLocalUrl] = useState<string | null>(null)
  // An object URL keeps the file in memory until it is revoked.
  useEffect(() => () => (localUrl === null ? undefined : URL.revokeObjectURL(localUrl)), [localUrl])

  const update = trpc.uploads.setProfilePicture.useMutation({
    onSuccess: async () => {
      showToast({ title: 'Profile Updated', message: 'Your profile picture has been updated successfully' })
      await cache.auth.me.invalidate()
    },
    meta: { failure: 'Update Failed', fallback: 'Failed to update profile picture' },
    onSettled: () => setLocalUrl(null),
  })
  const take = (uploadURL: string, file: File) => {
    setLocalUrl(URL.createObjectURL(file))
    update.mutate({ profilePictureUrl: uploadURL })
  }
  return { url: localUrl ?? serverUrl, isSaving: update.isPending, take }
}
