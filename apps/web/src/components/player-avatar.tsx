import classes from './player-avatar.module.css'

/** A player's picture, or the first letter of the name, on a coin. */
export function PlayerAvatar({ username, pictureUrl }: { username: string; pictureUrl: string | null }) {
  if (pictureUrl !== null) return <img className={classes.avatar} src={pictureUrl} alt="" width={30} height={30} />
  const [first = '?'] = username
  return (
    <span className={classes.avatar} aria-hidden="true">
      {first.toUpperCase()}
    </span>
  )
}
