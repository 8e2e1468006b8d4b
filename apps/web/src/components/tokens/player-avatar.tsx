import type { CSSProperties } from 'react'
import classes from './player-avatar.module.css'

interface PlayerAvatarProps {
  readonly username: string
  readonly pictureUrl: string | null
  readonly size?: number
}

/** A player's picture, or the name's first letter as a fallback. */
export function PlayerAvatar({ username, pictureUrl, size = 30 }: PlayerAvatarProps) {
  if (pictureUrl !== null) return <img className={classes.avatar} src={pictureUrl} alt="" width={size} height={size} />
  const [first = '?'] = username
  return (
    <span className={classes.avatar} style={{ '--avatar': `${size}px` } as CSSProperties} aria-hidden="true">
      {first.toUpperCase()}
    </span>
  )
}
