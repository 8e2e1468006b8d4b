import { formatMarketCap } from '@papermoon/format'
import { PlayerAvatar } from '../../../components/tokens/player-avatar.tsx'
import { BotMark } from '../../../components/tokens/player-link.tsx'
import classes from './search-palette.module.css'
import type { Item } from './to-sections.ts'

interface ResultRowProps {
  readonly item: Item
  readonly isActive: boolean
  readonly onChoose: () => void
  readonly onPoint: () => void
}

/** A row in the search palette. The field must not lose the focus, so a press does not take it. */
export function ResultRow({ item, isActive, onChoose, onPoint }: ResultRowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
    <div
      id={item.id}
      className={classes.row}
      role="option"
      aria-selected={isActive}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => !isActive && onPoint()}
      onClick={onChoose}
    >
      <RowContent item={item} />
    </div>
  )
}

function RowContent({ item }: { item: Item }) {
  switch (item.kind) {
    case 'token': {
      const { emoji, name, symbol, marketCap, ruggedAt } = item.token
      return (
        <>
          <Sign>{emoji}</Sign>
          <span className={classes.name}>{name}</span>
          <span className={`dim ${classes.symbol}`}>{symbol}</span>
          {ruggedAt === null ? (
            <span className={classes.figure}>{formatMarketCap(marketCap)}</span>
          ) : (
            <span className={classes.rugged}>Rugged</span>
          )}
        </>
      )
    }
    case 'player': {
      const { username, emoji, isBot, profilePictureUrl } = item.player
      return (
        <>
          <span className={classes.sign} aria-hidden="true">
            <PlayerAvatar username={username} pictureUrl={profilePictureUrl} emoji={emoji} size={28} />
          </span>
          <span className={classes.name}>{username}</span>
          {isBot && <BotMark />}
        </>
      )
    }
    case 'entry':
      return (
        <>
          <Sign>{item.entry.emoji}</Sign>
          <span className={classes.name}>{item.entry.name}</span>
        </>
      )
    case 'recent':
      return (
        <>
          <Sign>🕘</Sign>
          <span className={classes.name}>{item.text}</span>
        </>
      )
  }
}

function Sign({ children }: { children: string }) {
  return (
    <span className={classes.sign} aria-hidden="true">
      {children}
    </span>
  )
}
