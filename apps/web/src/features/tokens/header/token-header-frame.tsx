import type { ReactNode } from 'react'
import classes from './token-header.module.css'

interface TokenHeaderFrameProps {
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly creator: ReactNode
  readonly isRugged?: boolean
  readonly price: ReactNode
  readonly marketCap: ReactNode
  /** Buttons of other features, one above the other. */
  readonly actions?: ReactNode
}

/** The header of a token's page, drawn as a ticket. */
export function TokenHeaderFrame(header: TokenHeaderFrameProps) {
  return (
    <header className={classes.header}>
      <div className={classes.stub} aria-hidden="true">
        {header.emoji}
      </div>
      <div className={classes.body}>
        <div className={classes.who}>
          <h1 className={classes.name} title={header.name}>
            {header.name}
          </h1>
          <p className={classes.by}>
            <span className={classes.symbol}>{header.symbol}</span>
            <span className={classes.creator}>created by {header.creator}</span>
            {header.isRugged && <span className={classes.stamp}>Rugged</span>}
          </p>
        </div>
        {/* There without buttons too: they come later than the rest, and move nothing. */}
        <div className={classes.actions}>{header.actions}</div>
        <dl className={classes.figures}>
          <div className={classes.figure}>
            <dt>Price</dt>
            <dd>{header.price}</dd>
          </div>
          <div className={classes.figure}>
            <dt>Market cap</dt>
            <dd>{header.marketCap}</dd>
          </div>
        </dl>
      </div>
    </header>
  )
}
