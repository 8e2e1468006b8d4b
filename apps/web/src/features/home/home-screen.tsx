import { useState } from 'react'
import { FetchFailed } from '../../components/fetch-failed.tsx'
import { useMarketFeed } from '../../lib/live.ts'
import { useTitle } from '../../lib/use-title.ts'
import { Hero } from './hero.tsx'
import { SearchBar } from './search-bar.tsx'
import type { Sort } from './sorts.ts'
import { NoTokens, TokenGrid, TokenGridSkeleton } from './token-grid.tsx'
import { useListing } from './use-listing.ts'

/** The market: every token there is, searchable, sorted and live. */
export function HomeScreen() {
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<Sort>('newest')
  const { query, shown } = useListing(search, sort)
  useTitle('')
  useMarketFeed()

  return (
    <>
      <Hero />
      <SearchBar search={search} onSearch={setSearch} sort={sort} onSort={setSort} count={shown.length} />
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
