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

/** Prevent the press from moving the focus, because it must stay in the search field. */
export function ResultRow({ item, isActive, onChoose, onPoint }: ResultRowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
    <div
      id={item.id}
      className={`row gap-m touch p-xs-s round-s pointer ${classes.row}`}
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
          <span className="cut fit semibold">{name}</span>
          <span className="dim fixed text-s">{symbol}</span>
          {ruggedAt === null ? (
            <span className="fixed ml-auto">{formatMarketCap(marketCap)}</span>
          ) : (
            <span className="fixed ml-auto text-s bold alarm">Rugged</span>
          )}
        </>
      )
    }
    case 'player': {
      const { username, emoji, isBot, profilePictureUrl } = item.player
      return (
        <>
          <span className={`fixed emoji text-xl boxed ${classes.sign}`} aria-hidden="true">
            <PlayerAvatar username={username} pictureUrl={profilePictureUrl} emoji={emoji} size={28} />
          </span>
          <span className="cut fit semibold">{username}</span>
          {isBot && <BotMark />}
        </>
      )
    }
    case 'entry':
      return (
        <>
          <Sign>{item.entry.emoji}</Sign>
          <span className="cut fit semibold">{item.entry.name}</span>
        </>
      )
    case 'recent':
      return (
        <>
          <Sign>🕘</Sign>
          <span className="cut fit semibold">{item.text}</span>
        </>
      )
  }
}

function Sign({ children }: { children: string }) {
  return (
    <span className={`fixed emoji text-xl boxed ${classes.sign}`} aria-hidden="true">
      {children}
    </span>
  )
}
