import { useEffect, useRef } from 'react'
import { Button } from '../../../components/form/button.tsx'
import classes from './load-more.module.css'
import { BlankTickets } from './token-grid.tsx'

interface LoadMoreProps {
  /** Number of loaded pages. */
  readonly pages: number
  readonly isLoading: boolean
  readonly hasFailed: boolean
  readonly onMore: () => void
}

/** Loads the next page when the end of the list comes near. The button is for keyboards and for retrying. */
export function LoadMore({ pages, isLoading, hasFailed, onMore }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  useEffect(() => {
    more.current = onMore
  })
  useEffect(() => {
    if (isLoading || hasFailed || end.current === null) return
    // A busy browser reports several changes at once, so use the last one.
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && more.current(), {
      rootMargin: '900px',
    })
    observer.observe(end.current)
    // Observe again after each page, since its end may already be visible.
    return () => observer.disconnect()
  }, [pages, isLoading, hasFailed])
  const button = useRef<HTMLButtonElement>(null)
  const pressedAt = useRef<number | null>(null)
  const press = () => {
    pressedAt.current = pages
    onMore()
  }
  useEffect(() => {
    if (pressedAt.current === null || pressedAt.current === pages) return
    pressedAt.current = null
    // Return the focus to the button, because the pressed one was replaced with its page.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [pages])
  return (
    <>
      {/* A new element per page: the visible one is removed instead of moving down the screen. */}
      <div key={pages} ref={end} className={`stack middle gap-m py-s ${classes.end}`} data-has-more>
        <BlankTickets />
        {hasFailed && <p className="dim">Could not load more tokens.</p>}
        <Button ref={button} look="quiet" disabled={isLoading} onClick={press}>
          {isLoading ? 'Loading...' : hasFailed ? 'Try again' : 'Load more'}
        </Button>
      </div>
      <p className={`visually-hidden ${classes.news}`} role="status">
        {isLoading ? '' : pages > 1 ? `${pages} pages of tokens loaded` : ''}
      </p>
    </>
  )
}
