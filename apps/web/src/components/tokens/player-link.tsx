import { Link } from '@tanstack/react-router'
import classes from './player-link.module.css'

/** A player's name, linked to the profile. */
export function PlayerLink({ id, username }: { id: number; username: string }) {
  return (
    <Link className={classes.link} to="/user/$id" params={{ id: String(id) }} title={username}>
      {username}
    </Link>
  )
}
