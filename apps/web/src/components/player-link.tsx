import classes from './player-link.module.css'

/** A player's name, leading to the profile. */
export function PlayerLink({ id, username }: { id: number; username: string }) {
  return (
    <a className={classes.link} href={`/user/${id}`} title={username}>
      {username}
    </a>
  )
}
