import type { ReactNode } from 'react'
import { Fetched, type Query } from '../../../components/feedback/fetched.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PlayerAvatar } from '../../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import type { UserId } from '../../../lib/api/api.ts'
import classes from './board-list.module.css'

/** Time between two reads of a leaderboard, in ms. The server computes it at most once per minute. */
export const POLL_MS = 60_000
export const SOL_SHOWN = 2
export const AVATAR_PX = 36

interface BoardPanelProps<Entry> {
  readonly title: string
  /** One or two sentences that explain what the leaderboard counts. */
  readonly about: string
  readonly query: Query<readonly Entry[]>
  readonly renderEntry: (entry: Entry) => ReactNode
}

/** A leaderboard below the Top 3, which is hidden if it is empty. */
export function BoardPanel<Entry>({ title, about, query, renderEntry }: BoardPanelProps<Entry>) {
  if (query.data?.length === 0) return null
  return (
    <Panel title={title}>
      <p className="dim">{about}</p>
      <Fetched
        query={query}
        failure={`Could not load “${title}”`}
        skeleton={<Skeleton label={`Loading ${title}`} height={112} />}
      >
        {(entries) => <ol>{entries.map(renderEntry)}</ol>}
      </Fetched>
    </Panel>
  )
}

interface BoardRowProps {
  readonly rank: number
  readonly isOwn?: boolean
  readonly picture: ReactNode
  readonly name: ReactNode
  readonly nameBeside: ReactNode
  readonly figure: ReactNode
  readonly figureBeside: ReactNode
}

export function BoardRow({ rank, isOwn, picture, name, nameBeside, figure, figureBeside }: BoardRowProps) {
  return (
    <li className={`row gap-m py-s torn-top row-high ${isOwn ? 'on-raised' : ''}`}>
      <span className={`fixed dim bold text-right ${classes.rank}`}>{rank}</span>
      {picture}
      <span className={`stack fit grow top ${classes.who}`}>
        {name}
        <span className="small breaks">{nameBeside}</span>
      </span>
      <span className={`stack fit fixed ${classes.won}`}>
        <span className="accent bold">{figure}</span>
        <span className="small breaks">{figureBeside}</span>
      </span>
    </li>
  )
}

interface PlayerRowProps extends Omit<BoardRowProps, 'rank' | 'picture' | 'name'> {
  readonly entry: {
    readonly rank: number
    readonly userId: UserId
    readonly username: string
    readonly profilePictureUrl: string | null
    readonly emoji?: string | null
    readonly isBot?: boolean
  }
}

export function PlayerRow({ entry, ...beside }: PlayerRowProps) {
  const { rank, userId, username, profilePictureUrl, emoji = null, isBot = false } = entry
  return (
    <BoardRow
      rank={rank}
      picture={<PlayerAvatar username={username} pictureUrl={profilePictureUrl} emoji={emoji} size={AVATAR_PX} />}
      name={<PlayerLink id={userId} username={username} isBot={isBot} />}
      {...beside}
    />
  )
}
