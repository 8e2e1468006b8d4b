import type { AppOutputs } from '@papermoon/contract/router'
import { formatMarketCap } from '@papermoon/format'
import type { ReactNode } from 'react'
import { PlayerAvatar } from '../../../components/tokens/player-avatar.tsx'
import { BotMark } from '../../../components/tokens/player-link.tsx'
import type { PaletteEntry } from './palette-entries.ts'

type SearchResult = AppOutputs['search']['everything']

/** A row of the search results. */
export interface Item extends Pick<PaletteEntry, 'name' | 'to' | 'isOutside' | 'act'> {
  readonly id: string
  /** An emoji or a picture before the name. */
  readonly sign: ReactNode
  readonly beside?: ReactNode
  /** The text of an earlier search, which the row repeats instead of opening a page. */
  readonly text?: string
}

export interface Section {
  readonly title: string
  readonly items: readonly Item[]
}

interface Material {
  readonly recent: readonly string[]
  readonly found: SearchResult | undefined
  readonly pages: readonly PaletteEntry[]
  readonly actions: readonly PaletteEntry[]
}

/** Returns the rows in order, without empty sections. Each row has a unique id that does not change. */
export function toSections({ recent, found, pages, actions }: Material): Section[] {
  const sections: Section[] = [
    {
      title: 'Recent searches',
      items: recent.map((text, index) => ({ id: `recent-${index}`, name: text, sign: '🕘', text })),
    },
    { title: 'Tokens', items: found?.tokens.map(toTokenItem) ?? [] },
    { title: 'Players', items: found?.players.map(toPlayerItem) ?? [] },
    { title: 'Pages', items: pages.map(toEntryItem) },
    { title: 'Actions', items: actions.map(toEntryItem) },
  ]
  return sections.filter(({ items }) => items.length > 0)
}

function toEntryItem({ emoji, ...entry }: PaletteEntry): Item {
  return { ...entry, id: `entry-${entry.name.replaceAll(/\W+/g, '-')}`, sign: emoji }
}

function toTokenItem({ id, emoji, name, symbol, marketCap, ruggedAt }: SearchResult['tokens'][number]): Item {
  const beside = (
    <>
      <span className="dim fixed text-s">{symbol}</span>
      {ruggedAt === null ? (
        <span className="fixed ml-auto">{formatMarketCap(marketCap)}</span>
      ) : (
        <span className="fixed ml-auto text-s bold alarm">Rugged</span>
      )}
    </>
  )
  return { id: `token-${id}`, name, sign: emoji, beside, to: `/token/${id}` }
}

function toPlayerItem({ id, username, emoji, isBot, profilePictureUrl }: SearchResult['players'][number]): Item {
  const sign = <PlayerAvatar username={username} pictureUrl={profilePictureUrl} emoji={emoji} size={28} />
  return { id: `player-${id}`, name: username, sign, beside: isBot && <BotMark />, to: `/user/${id}` }
}
