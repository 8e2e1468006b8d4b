import type { RefObject } from 'react'
import { Button } from '../../../components/form/button.tsx'
import classes from './new-tokens.module.css'

interface NewTokensProps {
  readonly count: number
  readonly onShow: () => void
  readonly grid: RefObject<HTMLElement | null>
}

/** Height of the sticky elements above the grid, in px. */
const ABOVE = 96

/**
 * A button that says how many tokens were launched meanwhile, and shows them when the visitor presses it. The button
 * floats over the grid, so that nothing moves.
 */
export function NewTokens({ count, onShow, grid }: NewTokensProps) {
  const show = (isByKey: boolean) => {
    onShow()
    const list = grid.current
    if (list === null) return
    scrollTo({ top: list.getBoundingClientRect().top + scrollY - ABOVE })
    // Move the focus for keyboard users, because the button unmounts. Do not leave the focus in the list, because the
    // list would then hold launches back again.
    if (isByKey) focusOnce(list)
  }
  return (
    <div className={`grid sticky items-center ${classes.place}`}>
      <Button look="quiet" className={classes.button ?? ''} onClick={(event) => show(event.detail === 0)}>
        {count === 1 ? '1 new token' : `${count} new tokens`}
      </Button>
    </div>
  )
}

/** Focuses an element that is focusable only during this call, so that later presses do not focus it. */
function focusOnce(list: HTMLElement): void {
  list.tabIndex = -1
  list.addEventListener('blur', () => list.removeAttribute('tabindex'), { once: true })
  list.focus({ preventScroll: true })
}
