import { useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import type { CurrentUser } from '../../../lib/api/api.ts'
import { PassPicture } from './pass-picture.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import classes from './player-pass.module.css'
import { useProfilePicture } from './use-profile-picture.ts'

/** The player's pass: picture, name and e-mail. */
export function PlayerPass({ user }: { user: CurrentUser }) {
  const [isChoosing, setChoosing] = useState(false)
  const picture = useProfilePicture(user.profilePictureUrl)
  return (
    <section className={classes.pass} aria-label="Your profile">
      <div className={classes.band} aria-hidden="true">
        <span className={classes.slot} />
        Good for every ride
      </div>
      <div className={classes.face}>
        <PassPicture username={user.username} url={picture.url} />
        <Button onClick={() => setChoosing(true)} disabled={picture.isSaving}>
          {user.profilePictureUrl === null ? 'Upload Picture' : 'Change Picture'}
        </Button>
        <p className={classes.hint}>Upload an image for your profile (max 5MB)</p>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>Username</dt>
          <dd className={classes.name}>{user.username}</dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>{user.email ?? 'Not provided'}</dd>
        </div>
      </dl>
      {isChoosing && <PictureDialog onClose={() => setChoosing(false)} onUploaded={picture.take} />}
    </section>
  )
}
