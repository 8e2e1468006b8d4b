import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './token-tag.module.css'
import { SealMark } from './wax-seal.tsx'

interface TokenTagProps {
  readonly id: number
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly rugged: boolean
  /** ISO time at which the token's seal ends; null if it was never sealed. */
  readonly sealedUntil?: string | null
  /** False for a hidden token. Only its holders can open its page, so preloading the page's data is not worthwhile. */
  readonly isListed?: boolean
  readonly children?: ReactNode
}

/** A token's emoji, name and symbol in a list row. Its link covers the row. */
export function TokenTag({
  id,
  emoji,
  name,
  symbol,
  rugged,
  sealedUntil = null,
  isListed = true,
  children,
}: TokenTagProps) {
  return (
    <span className={classes.tag}>
      <span className={classes.emoji} aria-hidden="true">
        {emoji}
      </span>
      <span className={classes.words}>
        <Link
          to="/token/$id"
          params={{ id: String(id) }}
          {...(!isListed && { preload: false })}
          className={`${classes.link} cut`}
          title={name}
        >
          {name}
        </Link>
        <span className={classes.second}>
          <span className={`${classes.symbol} cut`}>{symbol}</span>
          {rugged && <span className={classes.rugged}>Rugged</span>}
          {sealedUntil !== null && <SealMark until={sealedUntil} />}
          {children}
        </span>
      </span>
    </span>
  )
}
