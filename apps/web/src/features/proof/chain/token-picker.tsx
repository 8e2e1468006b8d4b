import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { PAGING, SEARCH_MAX, TYPING_MS, toListing } from '../../../lib/market/listing.ts'
import text from '../proof-text.module.css'
import classes from './token-picker.module.css'

const SHOWN = 6

/** A search field that finds the token to verify. */
export function TokenPicker() {
  const [search, setSearch] = useState('')
  const settled = useSettled(search)
  const id = useId()
  return (
    <>
      <div className={text.field}>
        <label htmlFor={id} className={text.label}>
          Which token?
        </label>
        <input
          id={id}
          className={text.input}
          type="search"
          placeholder="Name or ticker"
          autoComplete="off"
          spellCheck={false}
          maxLength={SEARCH_MAX}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <FoundTokens search={settled} />
    </>
  )
}

/** The matching tokens, or why there are none. */
function FoundTokens({ search }: { search: string }) {
  // A limit of its own gives it a cache entry of its own, which the live feed does not patch.
  const listing = { ...toListing(search, 'mcap-high'), limit: SHOWN }
  const query = trpc.tokens.list.useInfiniteQuery(listing, { ...PAGING, placeholderData: keepPreviousData })
  if (query.isError) {
    const retry = () => void query.refetch()
    return <FetchFailed level={3} title="No tokens came" error={query.error} onRetry={retry} />
  }
  const tokens = query.data?.pages[0]?.tokens.slice(0, SHOWN)
  if (tokens?.length === 0 && !query.isPlaceholderData) {
    const isEmpty = search.trim() === ''
    return (
      <p className={classes.none}>
        {isEmpty ? 'There is no token yet, so there is nothing to doubt.' : 'No token has such a name.'}
      </p>
    )
  }
  return (
    <ul className={classes.tokens} aria-label="Tokens to verify">
      {tokens?.map((token) => (
        <li key={token.id}>
          <Link to="/proof" search={{ token: token.id }} resetScroll={false} className={classes.token}>
            <span className={classes.emoji} aria-hidden="true">
              {token.emoji}
            </span>
            <span className={classes.name}>{token.name}</span>
            <span className={classes.symbol}>{token.symbol}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** `typed`, updated when typing pauses. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
