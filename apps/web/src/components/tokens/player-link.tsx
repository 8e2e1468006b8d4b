import { Link } from '@tanstack/react-router'
import { BotMark } from './bot-mark.tsx'
import classes from './player-link.module.css'

interface PlayerLinkProps {
  readonly id: number
  readonly username: string
  readonly isBot: boolean
}

/** A player's name, linked to the profile, with a mark beside a bot's. */
export function PlayerLink({ isBot, ...player }: PlayerLinkProps) {
  if (!isBot) return <NameLink {...player} />
  return (
    <span className={classes.bot}>
      <NameLink {...player} /> <BotMark />
    </span>
  )
}

function NameLink({ id, username }: Pick<PlayerLinkProps, 'id' | 'username'>) {
  return (
    <Link className={classes.link} to="/user/$id" params={{ id: String(id) }} title={username}>
      {username}
    </Link>
  )
}
