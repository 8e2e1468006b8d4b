import { useSyncExternalStore } from 'react'
import type { TokenId } from '../../lib/api/api.ts'
import classes from './star-button.module.css'

export type Stars = Pick<typeof import('../../lib/market/stars.ts'), 'getStars' | 'onStars' | 'toggleStar'>

interface StarButtonProps {
  readonly id: TokenId
  readonly name: string
  readonly stars: Stars
}

export function StarButton({ id, name, stars }: StarButtonProps) {
  const isStarred = useSyncExternalStore(stars.onStars, () => stars.getStars().includes(id))
  return (
    <button
      type="button"
      className={`boxed round touch-high touch-wide ${classes.star}`}
      aria-pressed={isStarred}
      aria-label={`Watch ${name}`}
      onClick={() => stars.toggleStar(id)}
    />
  )
}
