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
  /** ISO time at which the token's seal ends, or null if the token was never sealed. */
  readonly sealedUntil?: string | null
  /**
   * Whether the token has a public page. A hidden token has a page only for holders, so preloading its data is not
   * worthwhile.
   */
  readonly isListed?: boolean
  readonly children?: ReactNode
}

/** Shows a token's emoji, name and symbol in a list row. The link to the token covers the row. */
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
    <span className="row gap-m fit">
      <span className={`fixed round-s emoji text-xl solid boxed ${classes.emoji}`} aria-hidden="true">
        {emoji}
      </span>
      <span className="stack grow">
        <Link
          to="/token/$id"
          params={{ id: String(id) }}
          {...(!isListed && { preload: false })}
          className={`bold bare no-outline ${classes.link} cut`}
          title={name}
        >
          {name}
        </Link>
        <span className={`row baseline gap-x-s fit ${classes.second}`}>
          <span className="accent text-s bold spaced cut">{symbol}</span>
          {rugged && <span className={`fixed px-s round-s alarm text-xs bold ${classes.rugged}`}>Rugged</span>}
          {sealedUntil !== null && <SealMark until={sealedUntil} />}
          {children}
        </span>
      </span>
    </span>
  )
}
