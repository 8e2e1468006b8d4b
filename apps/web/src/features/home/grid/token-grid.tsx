import { type RefObject, useEffect, useState } from 'react'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { TokenCard } from './token-card.tsx'
import classes from './token-grid.module.css'
import { useFirstCards } from './use-first-cards.ts'
import { useWindow } from './use-window.ts'

const SKELETONS = [0, 1, 2, 3, 4, 5]
/** Cards of a page whose entrance is staggered. */
const STAGGERED = 24
/** ARIA: the list's size is unknown. */
const UNKNOWN = -1

interface TokenGridProps {
  readonly tokens: readonly Token[]
  readonly hasMore: boolean
  /** Whether the tokens shown belong to the previous search. */
  readonly isOld: boolean
  readonly listRef: RefObject<HTMLUListElement | null>
}

/** The listing as cards, virtualised. A card animates in only once, not when it is scrolled back to. */
export function TokenGrid({ tokens, hasMore, isOld, listRef }: TokenGridProps) {
  const { from, to, above, below } = useWindow(listRef, tokens.length)
  const firstCards = useFirstCards()
  const [seen] = useState(() => new Set<number>())
  const drawn = tokens.slice(from, to)
  useEffect(() => {
    for (const { id } of drawn) seen.add(id)
  })
  const isPart = drawn.length < tokens.length
  return (
    <ul
      ref={listRef}
      className={classes.grid}
      style={isPart ? { paddingTop: above, paddingBottom: below } : undefined}
      aria-label="Tokens"
      aria-busy={isOld}
    >
      {drawn.map((token, index) =>
        index < firstCards ? (
          <TokenCard
            key={token.id}
            token={token}
            index={seen.has(token.id) ? null : index % STAGGERED}
            place={isPart ? from + index + 1 : undefined}
            of={hasMore ? UNKNOWN : tokens.length}
          />
        ) : (
          <li key={token.id} className={classes.later} />
        ),
      )}
    </ul>
  )
}

/** Six placeholders while the listing loads. */
export function TokenGridSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading tokens</span>
      <BlankTickets />
    </div>
  )
}

/** Reserves the space of six cards. */
export function BlankTickets() {
  return (
    <ul className={`${classes.grid} ${classes.blanks}`} aria-hidden="true">
      {SKELETONS.map((index) => (
        <li key={index} className={classes.blank}>
          <span className={classes.blankStub}>
            <Skeleton width={56} height={56} />
          </span>
          <span className={classes.blankBody}>
            <Skeleton width="60%" height={20} />
            <Skeleton width="45%" height={26} />
            <Skeleton width="80%" height={16} />
          </span>
        </li>
      ))}
    </ul>
  )
}
