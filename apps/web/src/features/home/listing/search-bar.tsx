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
    <search className={`row gap-s wrap my-m ${classes.bar}`}>
      <h2 className="grow text-2xl phone-unseen">The fairground</h2>
      <div className={`relative ${classes.field}`}>
        <SearchIcon size={18} className={`middle-y dim absolute untouchable ${classes.glass}`} />
        <input
          ref={input}
          className={`field full edge hover-edge on-surface ${classes.input}`}
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
        <span
          className={`small px-s round-s middle-y edge absolute untouchable phone-hidden ${classes.key}`}
          aria-hidden="true"
        >
          /
        </span>
      </div>
      <div className={`relative ${classes.sort}`}>
        <select
          className={`field full edge hover-edge on-surface ${classes.select}`}
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
        <span className={`middle-y dim absolute untouchable ${classes.arrow}`} aria-hidden="true">
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
      className={`px-m round-s on-surface ink text-s nowrap inline-row gap-s edge hover-edge centered touch-high ${classes.filter}`}
      aria-pressed={isOn}
      title={name}
      onClick={() => onChange(!isOn)}
    >
      <span aria-hidden="true">{emoji}</span>
      <span className="phone-unseen">{name}</span>
    </button>
  )
}
