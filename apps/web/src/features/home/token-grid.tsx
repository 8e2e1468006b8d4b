import { useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import type { Token } from '../../lib/api.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { TokenCard } from './token-card.tsx'
import classes from './token-grid.module.css'

const SKELETONS = [0, 1, 2, 3, 4, 5]
/** Cards drawn at first, and more each time the end comes into view: a listing may be 1,000 long. */
const PORTION = 48

/** The listing as tickets; the page draws more of them as it is scrolled. */
export function TokenGrid({ tokens }: { tokens: readonly Token[] }) {
  const [limit, setLimit] = useState(PORTION)
  const end = useRef<HTMLDivElement>(null)
  const more = tokens.length > limit
  useEffect(() => {
    const element = end.current
    if (!more || element === null) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setLimit((shown) => shown + PORTION),
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [more, limit])

  return (
    <>
      <ul className={classes.grid}>
        {tokens.slice(0, limit).map((token, index) => (
          <TokenCard key={token.id} token={token} index={index % PORTION} />
        ))}
      </ul>
      {more && (
        <div ref={end} className={classes.end}>
          <Button look="quiet" onClick={() => setLimit((shown) => shown + PORTION)}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

/** Six blank tickets while the listing is fetched. */
export function TokenGridSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading tokens</span>
      <ul className={classes.grid} aria-hidden="true">
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
    </div>
  )
}

/** What stands where no ticket matches, or none was printed yet. */
export function NoTokens() {
  const user = useCurrentUser()
  return (
    <Notice
      emoji="🎟️"
      title="No tokens found"
      action={
        user === null ? (
          <ButtonLink to="/auth">Login / Register</ButtonLink>
        ) : (
          <ButtonLink to="/launch">Launch Token</ButtonLink>
        )
      }
    >
      Be the first to launch a token!
    </Notice>
  )
}
