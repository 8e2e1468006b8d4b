import { getSign } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, memo, type RefObject, startTransition, useEffect, useRef, useState } from 'react'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { StarButton, type Stars } from '../../../components/tokens/star-button.tsx'
import { TokenTicket } from '../../../components/tokens/token-ticket.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
import { useShowBelowFold } from '../../../lib/boot/use-show-below-fold.ts'
import { whenIdle } from '../../../lib/boot/when-idle.ts'
import { useFlash } from '../../../lib/hooks/use-flash.ts'
import classes from './token-grid.module.css'
import { useRenderedRange } from './use-rendered-range.ts'

const SKELETONS = [0, 1, 2, 3, 4, 5]
/** Max number of cards per page that appear one after another. */
const STAGGERED = 24
/** The ARIA value for a list of unknown size. */
const UNKNOWN = -1

interface TokenGridProps {
  readonly tokens: readonly Token[]
  readonly hasMore: boolean
  /** Whether the visible tokens are still those of the previous search. */
  readonly isOld: boolean
  readonly listRef: RefObject<HTMLUListElement | null>
}

/**
 * Shows the listing as cards. Renders only the cards near the visible area. Animates each card when it first appears.
 */
export function TokenGrid({ tokens, hasMore, isOld, listRef }: TokenGridProps) {
  const { from, to, above, below } = useRenderedRange(listRef, tokens.length)
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
      className={`grid gap-l ${classes.grid}`}
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

export function TokenGridSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading tokens</span>
      <BlankTickets />
    </div>
  )
}

/** Reserves space for six cards. */
export function BlankTickets() {
  return (
    <ul className={`grid gap-l ${classes.grid} ${classes.blanks}`} aria-hidden="true">
      {SKELETONS.map((index) => (
        <li key={index}>
          <Skeleton height="var(--pm-ticket-height)" />
        </li>
      ))}
    </ul>
  )
}

/** Height of a card including its gap in one column, in px. */
const CARD_PX = 164

/** Returns how many cards to render. A phone first renders only the cards of the first screen, and then all. */
function useFirstCards(): number {
  const showsBelowFold = useShowBelowFold()
  // Do not read the window's height, because this would force a layout.
  return showsBelowFold ? Number.POSITIVE_INFINITY : Math.ceil(outerHeight / CARD_PX) - 1
}

interface TokenCardProps {
  readonly token: Token
  /** The card's position in the entrance animation, or null if the card has already appeared. */
  readonly index: number | null
  /**
   * The card's position (from 1) and the list's size. Screen readers need these numbers if only a part of the list is
   * rendered.
   */
  readonly place?: number | undefined
  readonly of?: number
}

/**
 * A card of the listing. The card links to the token's page and has a star on its corner. A change of `index` does not
 * render the card again, because `index` matters only on mount.
 */
const TokenCard = memo(Card, (a, b) => a.token === b.token && a.place === b.place && a.of === b.of)

function Card({ token, index, place, of }: TokenCardProps) {
  const cap = useRef<HTMLSpanElement>(null)
  const parts = useCardParts()
  useFlash(cap, token.currentPrice, getSign(token.priceChange24h) < 0 ? 'down' : 'up')
  return (
    <li
      className={index === null ? `p-s relative ${classes.card}` : `p-s relative ${classes.card} coming-in`}
      style={index === null ? undefined : ({ '--index': index } as CSSProperties)}
      {...(place !== undefined && { 'aria-posinset': place, 'aria-setsize': of })}
    >
      <Link to="/token/$id" params={{ id: String(token.id) }} className={`round-m bare block ${classes.link}`}>
        <TokenTicket
          emoji={token.emoji}
          name={token.name}
          symbol={token.symbol}
          price={token.currentPrice}
          changePercent={token.priceChange24h}
          marketCap={token.marketCap}
          supply={token.supply}
          rugged={token.ruggedAt !== null}
          flashRef={cap}
          line={parts && <parts.CardLine token={token} />}
          facts={parts && <parts.CardFacts token={token} />}
        />
      </Link>
      <StarButton id={token.id} name={token.name} stars={parts?.stars ?? early} />
    </li>
  )
}

type CardParts = typeof import('../cards/card-parts.tsx')

let parts: CardParts | null = null
let isAsked = false
const listeners = new Set<() => void>()

/**
 * Returns the components for card parts that the first paint does not need. Returns null until the browser is idle and
 * has loaded them.
 */
function useCardParts(): CardParts | null {
  const [shown, setShown] = useState(parts)
  // Use a transition, so that React renders the details of many cards in short slices.
  useEffect(() => (parts === null ? subscribe(() => startTransition(() => setShown(parts))) : setShown(parts)), [])
  return shown
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!isAsked) whenIdle(load)
  isAsked = true
  return () => listeners.delete(listener)
}

async function load(): Promise<CardParts> {
  parts = await lazyImport(() => import('../cards/card-parts.tsx'))
  for (const listener of listeners) listener()
  return parts
}

/**
 * Renders stars while the watchlist loads, so that they are in the Tab order from the start. A press on a star takes
 * effect when the watchlist is loaded.
 */
const early: Stars = {
  getStars: () => [],
  onStars: () => () => {},
  toggleStar: (id) => void load().then(({ stars }) => stars.toggleStar(id)),
}
