import { Link } from '@tanstack/react-router'
import { type CSSProperties, memo, useRef } from 'react'
import { Change } from '../../components/change.tsx'
import { Price } from '../../components/price.tsx'
import type { Token } from '../../lib/api.ts'
import { formatMarketCap, formatTokensShort, signOf } from '../../lib/format.ts'
import { useFlash } from '../../lib/use-flash.ts'
import classes from './token-card.module.css'

interface TokenCardProps {
  readonly token: Token
  /** Place in the order in which the cards come in. */
  readonly index: number
}

/** A token as a ticket of the fair; the whole ticket leads to its page. */
export const TokenCard = memo(function TokenCard({ token, index }: TokenCardProps) {
  const price = useRef<HTMLSpanElement>(null)
  useFlash(price, token.currentPrice, signOf(token.priceChange24h) < 0 ? 'down' : 'up')
  return (
    <li className={classes.item} style={{ '--index': index } as CSSProperties}>
      <Link to="/token/$id" params={{ id: String(token.id) }} className={classes.ticket}>
        <span className={classes.stub}>
          <span className={classes.emoji} aria-hidden="true">
            {token.emoji}
          </span>
          <span className={classes.number} aria-hidden="true">
            Nº {token.id}
          </span>
        </span>
        <span className={classes.body}>
          <span className={classes.title}>
            <strong className={classes.name}>{token.name}</strong>
            <span className={classes.symbol}>{token.symbol}</span>
          </span>
          <span className={classes.figures}>
            <span ref={price} className={classes.price}>
              <Price value={token.currentPrice} /> <span className={classes.unit}>SOL</span>
            </span>
            {token.ruggedAt === null ? (
              <Change percent={token.priceChange24h} />
            ) : (
              <span className={classes.stamp}>Rugged</span>
            )}
          </span>
          <span className={classes.facts}>
            <span>
              Market cap <b>{formatMarketCap(token.marketCap)}</b>
            </span>
            <span>
              Supply <b>{formatTokensShort(token.supply)}</b>
            </span>
          </span>
        </span>
      </Link>
    </li>
  )
})
