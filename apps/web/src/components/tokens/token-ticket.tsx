import { formatMarketCap, formatTokensShort } from '@papermoon/format'
import type { ReactNode, Ref } from 'react'
import { Change } from '../figures/change.tsx'
import { Price } from '../figures/price.tsx'
import stub from '../layout/stub.module.css'
import classes from './token-ticket.module.css'

interface TokenTicketProps {
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly price: string
  readonly changePercent: string
  /** Market cap in SOL. */
  readonly marketCap: string
  readonly supply: string
  readonly rugged: boolean
  /** The element with the market cap, which flashes when the price changes. */
  readonly flashRef?: Ref<HTMLSpanElement>
  /** Content beside the price. The card always reserves space for this line. */
  readonly line?: ReactNode
  /** A line of short facts. The card always reserves space for this line. */
  readonly facts?: ReactNode
}

/**
 * A token's card, drawn as a paper ticket with the emoji and the values. All cards have the same height. The link's
 * accessible name has only name, symbol, change and price.
 */
export function TokenTicket(ticket: TokenTicketProps) {
  return (
    <span className={`flex round-m on-surface ${stub.ticket} ${classes.ticket}`}>
      <span className={`boxed fixed on-stub emoji text-3xl solid ${classes.stub}`} aria-hidden="true">
        {ticket.emoji}
      </span>
      <span className="stack gap-xs grow between p-s-m relative torn-left">
        <span className={`row baseline gap-s ${classes.title}`}>
          <strong className={`text-l tight breaks two-lines ${classes.name}`} title={ticket.name}>
            {ticket.name}
          </strong>
          <span className={`fixed accent text-s bold spaced ${classes.symbol} cut`}>{ticket.symbol}</span>
        </span>
        <span className={`row baseline gap-s between semibold nowrap ${classes.figures}`}>
          <span
            ref={ticket.flashRef}
            className={`px-s round-s text-xl bold tight bleed-s ${classes.cap}`}
            title={`Market cap ${formatMarketCap(ticket.marketCap)}. Supply ${formatTokensShort(ticket.supply)}.`}
            aria-hidden="true"
          >
            {formatMarketCap(ticket.marketCap)} <small>cap</small>
          </span>
          {/* Show the supply only as text for screen readers, because it is the same for every token. */}
          <span className="visually-hidden">Supply {formatTokensShort(ticket.supply)}</span>
          {ticket.rugged ? (
            <span className={`stamp alarm text-l ${classes.stamp}`}>Rugged</span>
          ) : (
            <Change percent={ticket.changePercent} />
          )}
        </span>
        <span className={`row gap-s small between nowrap ${classes.worth}`}>
          <span>
            <Price value={ticket.price} /> SOL
          </span>
          <span className={`fit high ${classes.line}`} aria-hidden="true">
            {ticket.line}
          </span>
        </span>
        <span className={`fixed text-xs ${classes.facts} cut dim`} aria-hidden="true">
          {ticket.facts}
        </span>
      </span>
    </span>
  )
}
