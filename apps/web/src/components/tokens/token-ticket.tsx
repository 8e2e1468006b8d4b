import { formatMarketCap, formatTokensShort } from '@papermoon/format'
import type { ReactNode, Ref } from 'react'
import { Change } from '../figures/change.tsx'
import { Price } from '../figures/price.tsx'
import classes from './token-ticket.module.css'

interface TokenTicketProps {
  readonly emoji: string
  readonly number: string
  readonly name: string
  readonly symbol: string
  readonly price: string
  readonly changePercent: string
  /** Market cap in SOL. */
  readonly marketCap: string
  readonly supply: string
  readonly rugged: boolean
  readonly priceRef?: Ref<HTMLSpanElement>
  /** Content beside the market cap. The card reserves space for this content. */
  readonly line?: ReactNode
  /** A line of short facts above the supply. The card reserves space for these facts. */
  readonly facts?: ReactNode
}

/**
 * A token's card, drawn as a paper ticket with the emoji and the values. All cards have the same height. The link's
 * accessible name is short: name, symbol, price and change.
 */
export function TokenTicket(ticket: TokenTicketProps) {
  return (
    <span className={`row stretch round-m on-surface ${classes.ticket}`}>
      <span className={`stack middle gap-s fixed centered on-stub ${classes.stub}`} aria-hidden="true">
        <span className="emoji text-3xl solid">{ticket.emoji}</span>
        <span className={classes.number}>{ticket.number}</span>
      </span>
      <span className={`stack gap-xs grow between p-m-l relative torn-left ${classes.body}`}>
        <span className={`row baseline gap-s ${classes.title}`}>
          <strong className={`text-l tight breaks ${classes.name}`} title={ticket.name}>
            {ticket.name}
          </strong>
          <span className={`fixed accent text-s bold ${classes.symbol} cut`}>{ticket.symbol}</span>
        </span>
        <span className={`row baseline gap-s between semibold nowrap ${classes.figures}`}>
          <span ref={ticket.priceRef} className={`px-s round-s text-xl bold tight nowrap ${classes.price}`}>
            <Price value={ticket.price} /> <small>SOL</small>
          </span>
          {ticket.rugged ? (
            <span className={`stamp alarm text-l ${classes.stamp}`}>Rugged</span>
          ) : (
            <Change percent={ticket.changePercent} />
          )}
        </span>
        <span aria-hidden="true">
          <span className={`row gap-s small between nowrap ${classes.worth}`}>
            <span>
              Market cap <b>{formatMarketCap(ticket.marketCap)}</b>
            </span>
            <span className={classes.line}>{ticket.line}</span>
          </span>
          <span className={`${classes.facts} cut dim`}>{ticket.facts}</span>
          <span className={`${classes.supply} cut dim`}>Supply {formatTokensShort(ticket.supply)}</span>
        </span>
      </span>
    </span>
  )
}
