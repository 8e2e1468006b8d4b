import { useEffect, useState, useSyncExternalStore } from 'react'
import { Segmented } from '../../components/form/segmented.tsx'
import { lazyImport, lazyPart } from '../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../lib/boot/when-idle.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { useMarketFeed } from '../../lib/live/live.ts'
import { COLUMNS, TABS, type Tab } from './grid/columns.ts'
import { TokenGridSkeleton } from './grid/token-grid.tsx'
import { Hero } from './hero/hero.tsx'
import classes from './home-screen.module.css'
import { type Filters, type ListingChoice, useListingChoice } from './listing/listing-choice.ts'
import { ListingPart } from './listing/listing-part.tsx'
import { SearchBar } from './listing/search-bar.tsx'

/** Loaded when the page is idle; the space is reserved. */
const loadTape = () => import('./hero/market-tape.tsx')
const MarketTape = lazyPart(loadTape, 'MarketTape')
const Movers = lazyPart(() => import('./movers/movers.tsx'), 'Movers')
const WatchlistPart = lazyPart(() => import('./listing/watchlist-part.tsx'), 'WatchlistPart', <TokenGridSkeleton />)

const ALL_COLUMNS = COLUMNS.map(({ value }) => value)

/** The home page: all tokens, searchable, sorted and live, with the tape and the columns. */
export function HomeScreen() {
  const choice = useListingChoice()
  const isWide = useIsWide()
  const isIdle = useIsIdle()
  useTitle('')
  useMarketFeed()
  const column = isWide || choice.tab === 'all' ? null : choice.tab

  return (
    <>
      <Hero />
      <div className={classes.tape}>{isIdle && <MarketTape />}</div>
      <SearchBar
        search={choice.search}
        onSearch={choice.onSearch}
        sort={choice.sort}
        onSort={(sort) => choice.change({ sort, tab: 'all' })}
        isStarred={choice.isStarred}
        onStarred={(isOn) => choice.change({ starred: isOn || undefined, tab: 'all' })}
        hidesRugged={choice.hidesRugged}
        onHideRugged={(isOn) => choice.change({ rugged: isOn ? 'hide' : undefined, tab: 'all' })}
      />
      <TabBar tab={choice.tab} onTab={(tab) => choice.change({ tab })} />
      <div className={classes.market}>
        {column === null ? <Tokens {...choice.settled} onChange={choice.onChange} /> : <Movers columns={[column]} />}
        {isWide && (
          <aside className={classes.aside} aria-label="What moves">
            {isIdle && <Movers columns={ALL_COLUMNS} />}
          </aside>
        )}
      </div>
    </>
  )
}

interface TokensProps extends Filters {
  readonly isStarred: boolean
  readonly onChange: (part: ListingChoice) => void
}

function Tokens({ isStarred, ...filters }: TokensProps) {
  if (!isStarred) return <ListingPart {...filters} />
  return <WatchlistPart {...filters} />
}

/** Becomes true when the first render is done, the browser is idle and the tape's code is loaded. */
function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => lazyImport(loadTape).then(() => setIsIdle(true))), [])
  return isIdle
}

/** Breakpoint from which columns are beside the grid, as in home-screen.module.css. */
const WIDE = '(min-width: 80em)'

/** Whether there is room for columns beside the grid. */
function useIsWide(): boolean {
  return useSyncExternalStore(onChange, () => matchMedia(WIDE).matches)
}

function onChange(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

interface TabBarProps {
  readonly tab: Tab
  readonly onTab: (tab: Tab) => void
}

/** Tabs for the whole list and the columns, on screens without room for both. */
function TabBar({ tab, onTab }: TabBarProps) {
  return (
    <div className={classes.bar}>
      <Segmented label="Which tokens" options={TABS} value={tab} onChange={onTab} />
    </div>
  )
}
