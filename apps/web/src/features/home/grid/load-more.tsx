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

/**
 * Loads the next page when the visitor gets close to the end of the list. The button is for keyboard users and for
 * retries.
 */
export function LoadMore({ pages, isLoading, hasFailed, onMore }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  useEffect(() => {
    more.current = onMore
  })
  useEffect(() => {
    if (isLoading || hasFailed || end.current === null) return
    // Use only the last of the reported changes, because a busy browser reports several at once.
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && more.current(), {
      rootMargin: '900px',
    })
    observer.observe(end.current)
    // Observe the end again after each page, because it may already be visible.
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
    // Return the focus to the new button, because it replaced the pressed one.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [pages])
  return (
    <>
      {/* Create a new element for each page. Otherwise, the browser would move the visible element down the screen. */}
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
