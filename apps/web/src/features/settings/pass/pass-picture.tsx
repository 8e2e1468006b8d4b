import { useState } from 'react'
import classes from './player-pass.module.css'

const SIDE_PX = 148

interface PassPictureProps {
  readonly username: string
  readonly url: string | null
}

/** A large profile picture, with the name's first letter as fallback. */
export function PassPicture({ username, url }: PassPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  if (url !== null && url !== brokenUrl) {
    return (
      <img
        className={classes.picture}
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
    <span className={classes.picture} role="img" aria-label={`No picture yet: the letter ${first.toUpperCase()}`}>
      {first.toUpperCase()}
    </span>
  )
}
