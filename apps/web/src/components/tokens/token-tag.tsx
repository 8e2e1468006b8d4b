import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './token-tag.module.css'

interface TokenTagProps {
  readonly id: number
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly rugged: boolean
  /** False when an operator has hidden the token: it has no public page then. */
  readonly isListed?: boolean
  /** A second line under the name. */
  readonly children?: ReactNode
}

/** A token's emoji, name and symbol in a list row; its link covers the row. */
export function TokenTag({ id, emoji, name, symbol, rugged, isListed = true, children }: TokenTagProps) {
  return (
    <span className={classes.tag}>
      <span className={classes.emoji} aria-hidden="true">
        {emoji}
      </span>
      <span className={classes.words}>
        {isListed ? (
          <Link to="/token/$id" params={{ id: String(id) }} className={classes.link} title={name}>
            {name}
          </Link>
        ) : (
          <span className={classes.name} title={name}>
            {name}
          </span>
        )}
        <span className={classes.second}>
          <span className={classes.symbol}>{symbol}</span>
          {rugged && <span className={classes.rugged}>Rugged</span>}
          {children}
        </span>
      </span>
    </span>
  )
}
