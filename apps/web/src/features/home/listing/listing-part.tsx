import { memo, useRef } from 'react'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import { LoadMore } from '../grid/load-more.tsx'
import { TokenGrid, TokenGridSkeleton } from '../grid/token-grid.tsx'
import type { Filters, ListingChoice } from './listing-choice.ts'
import { useListing } from './use-listing.ts'

/** Load this part lazily, because the list holds new launches back only while the visitor uses the list. */
const NewTokens = lazyPart(() => import('../movers/new-tokens.tsx'), 'NewTokens')

/** Load this part lazily, because most lists have tokens. */
const NoTokens = lazyPart(() => import('./no-tokens.tsx'), 'NoTokens')

interface ListingPartProps extends Filters {
  /** Changes the filters. */
  readonly onChange: (part: ListingChoice) => void
}

/**
 * Shows all tokens that match a search, sorted. Loads more pages while the visitor scrolls. Memoize the component, so
 * that it renders for each completed search and not for each letter.
 */
export const ListingPart = memo(function ListingPart({ search, sort, hidesRugged, onChange }: ListingPartProps) {
  const grid = useRef<HTMLUListElement>(null)
  const { query, tokens, waiting, onShow } = useListing({ search, sort, hidesRugged }, grid)
  const count = tokens.length
  return (
    <Fetched level={2} query={query} failure="Could not load the tokens" skeleton={<TokenGridSkeleton />}>
      {({ pages }) => (
        <div>
          <p className="visually-hidden" role="status">
            {search === '' || query.isPlaceholderData ? '' : foundText(count, query.hasNextPage)}
          </p>
          {waiting > 0 && <NewTokens count={waiting} onShow={onShow} grid={grid} />}
          {count === 0 ? (
            <NoTokens search={search} hidesRugged={hidesRugged} onChange={onChange} />
          ) : (
            <TokenGrid tokens={tokens} hasMore={query.hasNextPage} isOld={query.isPlaceholderData} listRef={grid} />
          )}
          {query.hasNextPage && !query.isPlaceholderData && (
            <LoadMore
              pages={pages.length}
              isLoading={query.isFetchingNextPage}
              hasFailed={query.isFetchNextPageError}
              onMore={() => void query.fetchNextPage()}
            />
          )}
        </div>
      )}
    </Fetched>
  )
})

function foundText(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count} tokens found`
  return `${count} ${count === 1 ? 'token' : 'tokens'} found`
}
