import { memo, useMemo, useRef, useSyncExternalStore } from 'react'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Button } from '../../../components/form/button.tsx'
import { type Token, type TokenId, trpc } from '../../../lib/api/api.ts'
import { comparisons, DAY_FIGURES, matchesSearch } from '../../../lib/market/listing.ts'
import { getStars, onStars } from '../../../lib/market/stars.ts'
import { TokenGrid, TokenGridSkeleton } from '../grid/token-grid.tsx'
import type { Filters, ListingChoice } from './listing-choice.ts'
import { inOrder, useStableIds } from './use-listing.ts'

interface WatchlistPartProps extends Filters {
  readonly onChange: (part: ListingChoice) => void
}

const NONE: readonly Token[] = []

export const WatchlistPart = memo(function WatchlistPart({ onChange, ...filters }: WatchlistPartProps) {
  const grid = useRef<HTMLUListElement>(null)
  const stars = useSyncExternalStore(onStars, getStars)
  const query = trpc.tokens.byIds.useQuery(
    { ids: toIdText(stars) },
    // After the player adds or removes a star, show the previous list until the response arrives.
    { enabled: stars.length > 0, placeholderData: (before) => before, ...DAY_FIGURES },
  )
  const tokens = useShown(query.data ?? NONE, stars, filters)
  const ordered = useLiveOrder(tokens, filters, grid)
  if (stars.length === 0) return <NoStars onChange={onChange} />
  return (
    <Fetched level={2} query={query} failure="Could not load the tokens" skeleton={<TokenGridSkeleton />}>
      {() =>
        ordered.length === 0 ? (
          <NoMatch {...filters} onChange={onChange} />
        ) : (
          <TokenGrid tokens={ordered} hasMore={false} isOld={query.isPlaceholderData} listRef={grid} />
        )
      }
    </Fetched>
  )
})

/** Returns the same text for the same stars in any order. */
function toIdText(stars: readonly TokenId[]): string {
  return stars.toSorted((a, b) => a - b).join(',')
}

function useShown(tokens: readonly Token[], stars: readonly TokenId[], { search, sort, hidesRugged }: Filters) {
  return useMemo(() => {
    const starred = new Set(stars)
    const wanted = search.trim()
    return tokens
      .filter((token) => starred.has(token.id) && matchesSearch(token, wanted))
      .filter(({ ruggedAt }) => !hidesRugged || ruggedAt === null)
      .sort(comparisons[sort])
  }, [tokens, stars, search, sort, hidesRugged])
}

/** The cards stay in place while the visitor uses the list; see `useListing`. */
function useLiveOrder(tokens: Token[], { search, sort }: Filters, grid: Parameters<typeof useStableIds>[2]) {
  const pages = useMemo(() => [{ tokens }], [tokens])
  const ids = useStableIds({ search, sort }, pages, grid)
  return useMemo(() => (ids.length === 0 ? tokens : inOrder(tokens, ids)), [tokens, ids])
}

function NoStars({ onChange }: Pick<WatchlistPartProps, 'onChange'>) {
  return (
    <Notice
      emoji="⭐"
      title="No stars yet"
      action={<Button onClick={() => onChange({ starred: undefined })}>Show all tokens</Button>}
    >
      Press the star on a token to add it to this list.
    </Notice>
  )
}

function NoMatch({ search, hidesRugged, onChange }: WatchlistPartProps) {
  return (
    <Notice
      emoji="⭐"
      title="No tokens found"
      action={
        <span className="acts">
          {search !== '' && <Button onClick={() => onChange({ q: '' })}>Clear the search</Button>}
          {hidesRugged && <Button onClick={() => onChange({ rugged: undefined })}>Show rugged tokens</Button>}
          <Button look="quiet" onClick={() => onChange({ starred: undefined })}>
            Show all tokens
          </Button>
        </span>
      }
    >
      None of your starred tokens match.
    </Notice>
  )
}
