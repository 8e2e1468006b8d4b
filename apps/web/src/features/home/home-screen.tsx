import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState } from 'react'
import { Segmented } from '../../components/form/segmented.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyImport, lazyPart } from '../../lib/boot/lazy-import.ts'
import { whenIdle } from '../../lib/boot/when-idle.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { useMarketFeed } from '../../lib/live/live.ts'
import { isIntentStored } from '../../lib/market/intent-key.ts'
import { useAway } from '../../lib/ui/visits.ts'
import { COLUMNS, TABS } from './grid/columns.ts'
import { TokenGridSkeleton } from './grid/token-grid.tsx'
import { Hero } from './hero/hero.tsx'
import classes from './home-screen.module.css'
import { useListingChoice } from './listing/listing-choice.ts'
import { ListingPart } from './listing/listing-part.tsx'
import { SearchBar } from './listing/search-bar.tsx'

/** Load the code when the browser is idle, because the page reserves space for the component. */
const loadTape = () => import('./hero/market-tape.tsx')
const MarketTape = lazyPart(loadTape, 'MarketTape')
const ContinueOffer = lazyPart(() => import('../continue/continue-offer.tsx'), 'ContinueOffer')
const Movers = lazyPart(() => import('./movers/movers.tsx'), 'Movers')
const WatchlistPart = lazyPart(() => import('./listing/watchlist-part.tsx'), 'WatchlistPart', <TokenGridSkeleton />)

const ALL_COLUMNS = COLUMNS.map(({ value }) => value)

/** The columns beside a grid that shows the newest tokens itself. */
const BESIDE_NEWEST = ALL_COLUMNS.filter((column) => column !== 'new')

/** Media query for screens that show the columns beside the grid, as in home-screen.module.css. */
const WIDE = '(min-width: 80em)'

/** The home page, which lists all tokens live, with search, sorting, the newest trades and the columns. */
export function HomeScreen() {
  const choice = useListingChoice()
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const isIdle = useIsIdle()
  const user = useCurrentUser()
  const [hasIntent] = useState(isIntentStored)
  useTitle('')
  useMarketFeed()
  useHotAfterAbsence(choice, isWide)
  const { isStarred, ...filters } = choice.applied
  const column = isWide || choice.tab === 'all' ? null : choice.tab
  const showsNewest = choice.sort === 'newest' && choice.search === '' && !isStarred

  return (
    <>
      {user !== null && hasIntent && <ContinueOffer />}
      <Hero />
      <div className={`mt-s ${classes.tape}`}>{isIdle && <MarketTape />}</div>
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
      <div className={`stack mb-s ${classes.bar}`}>
        <Segmented
          label="Tokens to show"
          options={TABS}
          value={choice.tab}
          onChange={(tab) => choice.change({ tab })}
        />
      </div>
      <div className={classes.market}>
        {column !== null ? (
          <Movers columns={[column]} />
        ) : isStarred ? (
          <WatchlistPart {...filters} onChange={choice.onChange} />
        ) : (
          <ListingPart {...filters} onChange={choice.onChange} />
        )}
        {isWide && (
          <aside className={classes.aside} aria-label="Market movers">
            {isIdle && <Movers columns={showsNewest ? BESIDE_NEWEST : ALL_COLUMNS} />}
          </aside>
        )}
      </div>
    </>
  )
}

/** Start of the absence after which the page already opened the tab Hot, in ms since the epoch. */
let openedHotAfter: number | null = null

/** Opens the tab Hot once after each absence, unless the URL names something else. Wide screens always show Hot. */
function useHotAfterAbsence(
  { tab, sort, search, isStarred, change }: ReturnType<typeof useListingChoice>,
  isWide: boolean,
) {
  const sinceMs = useAway(useCurrentUser()?.id ?? 0)
  const openHot = useEffectEvent(() => {
    if (sinceMs === null || sinceMs === openedHotAfter) return
    openedHotAfter = sinceMs
    const isDefault = tab === 'all' && sort === 'newest' && search === '' && !isStarred
    if (isDefault && !isWide) change({ tab: 'hot' })
  })
  useEffect(() => openHot(), [sinceMs])
}

/** Returns true when the first render is done, the browser is idle, and the code for the newest trades is loaded. */
function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => lazyImport(loadTape).then(() => setIsIdle(true))), [])
  return isIdle
}
