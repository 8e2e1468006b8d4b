import type { ReactNode, Ref } from 'react'
import { formatMarketCap, formatTokensShort } from '../../lib/format/format.ts'
import { Change } from '../figures/change.tsx'
import { Price } from '../figures/price.tsx'
import classes from './token-ticket.module.css'

interface TokenTicketProps {
  readonly emoji: string
  /** Serial number printed on the stub. */
  readonly number: string
  readonly name: string
  readonly symbol: string
  readonly price: string
  readonly changePercent: string
  /** SOL. */
  readonly marketCap: string
  readonly supply: string
  readonly rugged: boolean
  readonly priceRef?: Ref<HTMLSpanElement>
}

/** A token as a paper ticket: emoji on the stub, figures beside it. */
export function TokenTicket(ticket: TokenTicketProps) {
  return (
    <span className={classes.ticket}>
      <span className={classes.stub}>
        <span className={classes.emoji} aria-hidden="true">
          {ticket.emoji}
        </span>
        <span className={classes.number} aria-hidden="true">
          {ticket.number}
        </span>
      </span>
      <span className={classes.body}>
        <span className={classes.title}>
          <strong className={classes.name}>{ticket.name}</strong>
          <span className={classes.symbol}>{ticket.symbol}</span>
        </span>
        <span className={classes.figures}>
          <span ref={ticket.priceRef} className={classes.price}>
            <Price value={ticket.price} /> <span className={classes.unit}>SOL</span>
          </span>
          {ticket.rugged ? <span className={classes.stamp}>Rugged</span> : <Change percent={ticket.changePercent} />}
        </span>
        <span className={classes.facts}>
          <Fact name="Market cap">{formatMarketCap(ticket.marketCap)}</Fact>
          <Fact name="Supply">{formatTokensShort(ticket.supply)}</Fact>
        </span>
      </span>
    </span>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span>
      {name} <b>{children}</b>
    </span>
  )
}
