import { Link } from '@tanstack/react-router'
import { type CSSProperties, memo, useRef } from 'react'
import { TokenTicket } from '../../components/token-ticket.tsx'
import type { Token } from '../../lib/api.ts'
import { signOf } from '../../lib/format.ts'
import { useFlash } from '../../lib/use-flash.ts'
import classes from './token-card.module.css'

interface TokenCardProps {
  readonly token: Token
  /** Place in the order in which the cards come in. */
  readonly index: number
}

/** A token of the listing; the whole ticket leads to its page. */
export const TokenCard = memo(function TokenCard({ token, index }: TokenCardProps) {
  const price = useRef<HTMLSpanElement>(null)
  useFlash(price, token.currentPrice, signOf(token.priceChange24h) < 0 ? 'down' : 'up')
  return (
    <li className={classes.item} style={{ '--index': index } as CSSProperties}>
      <Link to="/token/$id" params={{ id: String(token.id) }} className={classes.link}>
        <TokenTicket
          emoji={token.emoji}
          number={`Nº ${token.id}`}
          name={token.name}
          symbol={token.symbol}
          price={token.currentPrice}
          changePercent={token.priceChange24h}
          marketCap={token.marketCap}
          supply={token.supply}
          rugged={token.ruggedAt !== null}
          priceRef={price}
        />
      </Link>
    </li>
  )
})
