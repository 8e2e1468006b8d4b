import { Link } from '@tanstack/react-router'
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
      <NameLink {...player} /> {/* By keyboard the name leads to the same page. */}
      <Link
        to="/user/$id"
        params={{ id: String(player.id) }}
        hash="bot"
        tabIndex={-1}
        className={classes.who}
        aria-label="Who is this bot?"
      >
        <BotMark />
      </Link>
    </span>
  )
}

function NameLink({ id, username }: Pick<PlayerLinkProps, 'id' | 'username'>) {
  return (
    <Link className={`${classes.link} cut`} to="/user/$id" params={{ id: String(id) }} title={username}>
      {username}
    </Link>
  )
}

export function BotMark() {
  return (
    <span className={classes.mark} title="A program plays this account, not a person">
      bot
    </span>
  )
}
