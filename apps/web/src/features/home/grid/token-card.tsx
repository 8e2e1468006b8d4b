import { Link } from '@tanstack/react-router'
import { type CSSProperties, memo, useRef } from 'react'
import { TokenTicket } from '../../../components/tokens/token-ticket.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { getSign } from '../../../lib/format/format.ts'
import { useFlash } from '../../../lib/hooks/use-flash.ts'
import classes from './token-card.module.css'
import { useCardParts } from './use-card-parts.ts'

interface TokenCardProps {
  readonly token: Token
  /** Position in the entrance animation; null for cards that were there before. */
  readonly index: number | null
  /** 1-based position and size of the list, for lists that are rendered in part. */
  readonly place?: number | undefined
  readonly of?: number
}

/**
 * A token of the listing; the card links to its page, with a star over its corner. `index` only matters on mount, so
 * changes of it do not render again.
 */
export const TokenCard = memo(Card, (a, b) => a.token === b.token && a.place === b.place && a.of === b.of)

function Card({ token, index, place, of }: TokenCardProps) {
  const price = useRef<HTMLSpanElement>(null)
  const parts = useCardParts()
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
          line={parts && <parts.CardLine token={token} />}
          facts={parts && <parts.CardFacts token={token} />}
        />
      </Link>
      {parts && (
        <span className={classes.star}>
          <parts.StarButton id={token.id} name={token.name} />
        </span>
      )}
    </li>
  )
}
