import { FetchFailed } from '../../components/fetch-failed.tsx'
import { useMarketFeed } from '../../lib/live.ts'
import { useTitle } from '../../lib/use-title.ts'
import { Hero } from './hero.tsx'
import { SearchBar } from './search-bar.tsx'
import { NoTokens, TokenGrid, TokenGridSkeleton } from './token-grid.tsx'
import { useListing } from './use-listing.ts'
import { useListingChoice } from './use-listing-choice.ts'

/** The market: every token there is, searchable, sorted and live. */
export function HomeScreen() {
  const { search, sort, change } = useListingChoice()
  const { query, shown } = useListing(search, sort)
  useTitle('')
  useMarketFeed()

  return (
    <>
      <Hero />
      <SearchBar
        search={search}
        onSearch={(q) => change({ q })}
        sort={sort}
        onSort={(next) => change({ sort: next })}
        count={shown.length}
      />
      {query.isPending ? (
        <TokenGridSkeleton />
      ) : query.isError ? (
        <FetchFailed title="The market is out of reach" error={query.error} onRetry={() => void query.refetch()} />
      ) : shown.length === 0 ? (
        <NoTokens />
      ) : (
        <TokenGrid key={`${sort} ${search}`} tokens={shown} />
      )}
    </>
  )
}
