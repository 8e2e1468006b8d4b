import { useRef } from 'react'
import { SearchIcon } from '../../../components/layout/icons.tsx'
import { SEARCH_MAX, type Sort } from '../../../lib/market/listing.ts'
import { useHotkey } from '../../../lib/ui/hotkeys.ts'
import { SORTS } from './listing-choice.ts'
import classes from './search-bar.module.css'

interface SearchBarProps {
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly isStarred: boolean
  readonly onStarred: (isStarred: boolean) => void
  readonly hidesRugged: boolean
  readonly onHideRugged: (hidesRugged: boolean) => void
}

/** The listing's search, sort order and filters. The key `/` focuses the search. */
export function SearchBar({ search, onSearch, sort, onSort, ...filters }: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null)
  useHotkey('/', () => input.current?.focus())
  return (
    <search className={`row gap-s wrap ${classes.bar}`}>
      <h2 className={classes.heading}>The fairground</h2>
      <div className={classes.field}>
        <SearchIcon size={18} className={classes.glass} />
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
        <span className={`small px-s round-s ${classes.key}`} aria-hidden="true">
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
      <div className="row stretch gap-s">
        <Filter emoji="★" name="Watchlist" isOn={filters.isStarred} onChange={filters.onStarred} />
        <Filter emoji="🧹" name="Hide rugged" isOn={filters.hidesRugged} onChange={filters.onHideRugged} />
      </div>
    </search>
  )
}

interface FilterProps {
  readonly emoji: string
  readonly name: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Filter({ emoji, name, isOn, onChange }: FilterProps) {
  return (
    <button
      type="button"
      className={`px-m round-s on-surface ink text-s nowrap inline-row gap-s edge hover-edge ${classes.filter}`}
      aria-pressed={isOn}
      title={name}
      onClick={() => onChange(!isOn)}
    >
      <span aria-hidden="true">{emoji}</span>
      <span className={classes.filterName}>{name}</span>
    </button>
  )
}
