import { Link } from '@tanstack/react-router'
import classes from './player-link.module.css'

interface PlayerLinkProps {
  readonly id: number
  readonly username: string
  readonly isBot: boolean
}

export function PlayerLink({ isBot, ...player }: PlayerLinkProps) {
  if (!isBot) return <NameLink {...player} />
  return (
    <span className="fit bounded inline-row gap-xs">
      <NameLink {...player} /> {/* Keyboard users reach the same page through the name. */}
      <Link
        to="/user/$id"
        params={{ id: String(player.id) }}
        hash="bot"
        tabIndex={-1}
        className={`fixed p-m bare ${classes.who}`}
        aria-label="Who is this bot?"
      >
        <BotMark />
      </Link>
    </span>
  )
}

function NameLink({ id, username }: Pick<PlayerLinkProps, 'id' | 'username'>) {
  return (
    <Link className={`semibold ${classes.link} cut`} to="/user/$id" params={{ id: String(id) }} title={username}>
      {username}
    </Link>
  )
}

export function BotMark() {
  return (
    <span
      className={`fixed px-s dim text-xs bold tight inline-block ${classes.mark}`}
      title="A program controls this account"
    >
      bot
    </span>
  )
}
