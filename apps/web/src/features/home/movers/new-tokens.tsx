import type { RefObject } from 'react'
import { Button } from '../../../components/form/button.tsx'
import classes from './new-tokens.module.css'

interface NewTokensProps {
  readonly count: number
  readonly onShow: () => void
  readonly grid: RefObject<HTMLElement | null>
}

/** What stays in sight above the grid, px: the bar and some room. */
const ABOVE = 96

/** Tells whoever reads that tokens were launched meanwhile, and brings them. It lies over the grid and moves nothing. */
export function NewTokens({ count, onShow, grid }: NewTokensProps) {
  const show = (isByKey: boolean) => {
    onShow()
    const list = grid.current
    if (list === null) return
    scrollTo({ top: list.getBoundingClientRect().top + scrollY - ABOVE })
    // The button goes. A pointer needs no focus, and the list would be taken for being read.
    if (isByKey) focusOnce(list)
  }
  return (
    <div className={classes.place}>
      {count > 0 && (
        <Button look="quiet" className={classes.button ?? ''} onClick={(event) => show(event.detail === 0)}>
          {count === 1 ? '1 new token' : `${count} new tokens`}
        </Button>
      )}
    </div>
  )
}

/** Focuses what can only be focused now: a press between its cards does not take it for chosen. */
function focusOnce(list: HTMLElement): void {
  list.tabIndex = -1
  list.addEventListener('blur', () => list.removeAttribute('tabindex'), { once: true })
  list.focus({ preventScroll: true })
}
