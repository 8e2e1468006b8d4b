import { Link } from '@tanstack/react-router'
import { type CSSProperties, memo, useRef } from 'react'
import { TokenTicket } from '../../../components/tokens/token-ticket.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { getSign } from '../../../lib/format/format.ts'
import { useFlash } from '../../../lib/hooks/use-flash.ts'
import classes from './token-card.module.css'

interface TokenCardProps {
  readonly token: Token
  /** Place in the order in which the cards come in; null for one that was there before. */
  readonly index: number | null
  /** Where it stands in a list of which only a part is drawn, from 1, and how long that list is. */
  readonly place?: number | undefined
  readonly of?: number
}

/** A token of the listing; the whole ticket leads to its page. How it came in does not matter once it is there. */
export const TokenCard = memo(Card, (a, b) => a.token === b.token && a.place === b.place && a.of === b.of)

function Card({ token, index, place, of }: TokenCardProps) {
  const price = useRef<HTMLSpanElement>(null)
  useFlash(price, token.currentPrice, getSign(token.priceChange24h) < 0 ? 'down' : 'up')
  return (
    <li
      className={index === null ? classes.card : `${classes.card} ${classes.new}`}
      style={index === null ? undefined : ({ '--index': index } as CSSProperties)}
      {...(place !== undefined && { 'aria-posinset': place, 'aria-setsize': of })}
    >
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
}
