import { useSyncExternalStore } from 'react'
import type { TokenId } from '../../lib/api/api.ts'
import { getStars, onStars, toggleStar } from '../../lib/market/stars.ts'
import classes from './star-button.module.css'

const STAR = 'M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.500l6.5-.9Z'

interface StarButtonProps {
  readonly id: TokenId
  readonly name: string
}

/** Puts a token on the watchlist, or takes it off. */
export function StarButton({ id, name }: StarButtonProps) {
  const isStarred = useSyncExternalStore(onStars, () => getStars().includes(id))
  return (
    <button
      type="button"
      className={classes.star}
      aria-pressed={isStarred}
      aria-label={`Watch ${name}`}
      title={isStarred ? 'On your watchlist' : 'Put on your watchlist'}
      onClick={() => toggleStar(id)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d={STAR} />
      </svg>
    </button>
  )
}
