import { useRef } from 'react'
import { SEARCH_MAX, type Sort } from '../../../lib/market/listing.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'
import classes from './search-bar.module.css'
import { SORTS } from './sorts.ts'

interface SearchBarProps {
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

/** Search and sort of the listing; `/` focuses the search. */
export function SearchBar({ search, onSearch, sort, onSort }: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null)
  useHotkey('/', () => input.current?.focus())
  return (
    <search className={classes.bar}>
      <h2 className={classes.heading}>The fairground</h2>
      <div className={classes.field}>
        <svg className={classes.glass} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13Zm5 11.500L21 21" />
        </svg>
        <input
          ref={input}
          className={classes.input}
          type="search"
          placeholder="Search tokens..."
          aria-label="Search tokens"
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          maxLength={SEARCH_MAX}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
        <span className={classes.key} aria-hidden="true">
          /
        </span>
      </div>
      <div className={classes.sort}>
        <select
          className={classes.select}
          aria-label="Sort by..."
          value={sort}
          onChange={(event) =>
            onSort(SORTS.find(({ value }) => value === event.currentTarget.value)?.value ?? 'newest')
          }
        >
          <option value="" disabled hidden>
            Sort by...
          </option>
          {SORTS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <span className={classes.arrow} aria-hidden="true">
          ▾
        </span>
      </div>
    </search>
  )
}
