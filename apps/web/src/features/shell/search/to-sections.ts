import type { AppOutputs } from '@papermoon/contract/router'
import type { PaletteEntry } from './palette-entries.ts'

type SearchResult = AppOutputs['search']['everything']
export type FoundToken = SearchResult['tokens'][number]
export type FoundPlayer = SearchResult['players'][number]

/** The different kinds of rows in the search results. */
export type Item =
  | { readonly id: string; readonly kind: 'token'; readonly token: FoundToken }
  | { readonly id: string; readonly kind: 'player'; readonly player: FoundPlayer }
  | { readonly id: string; readonly kind: 'entry'; readonly entry: PaletteEntry }
  | { readonly id: string; readonly kind: 'recent'; readonly text: string }

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
  const toItem = (entry: PaletteEntry): Item => ({
    id: `entry-${entry.name.replaceAll(/\W+/g, '-')}`,
    kind: 'entry',
    entry,
  })
  return [
    {
      title: 'Recent searches',
      items: recent.map((text, index): Item => ({ id: `recent-${index}`, kind: 'recent', text })),
    },
    {
      title: 'Tokens',
      items: (found?.tokens ?? []).map((token): Item => ({ id: `token-${token.id}`, kind: 'token', token })),
    },
    {
      title: 'Players',
      items: (found?.players ?? []).map((player): Item => ({ id: `player-${player.id}`, kind: 'player', player })),
    },
    { title: 'Pages', items: pages.map(toItem) },
    { title: 'Actions', items: actions.map(toItem) },
  ].filter(({ items }) => items.length > 0)
}
