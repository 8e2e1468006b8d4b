import { Decimal } from '@papermoon/amm'
import { formatMarketCap, formatSol, formatUsdHint } from '@papermoon/format'
import { type ReactNode, useRef } from 'react'
import { Change } from '../../../components/figures/change.tsx'
import { Price } from '../../../components/figures/price.tsx'
import stub from '../../../components/layout/stub.module.css'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import { SealLine } from '../../../components/tokens/wax-seal.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { useFlash } from '../../../lib/hooks/use-flash.ts'
import { usePrevious } from '../../../lib/hooks/use-previous.ts'
import classes from './token-header.module.css'

const SOL_SHOWN = 2

interface TokenHeaderProps {
  readonly token: Token
  readonly actions?: ReactNode
  readonly creatorAction?: ReactNode
  /** Whether the header shows a past state, without a seal and without a flash when the price changes. */
  readonly isStill?: boolean
}

export function TokenHeader({ token, actions, creatorAction, isStill = false }: TokenHeaderProps) {
  const { name, symbol, emoji, creator, currentPrice, priceChange24h, marketCap, ruggedAt, seal } = token
  const price = useRef<HTMLElement>(null)
  const before = usePrevious(currentPrice)
  useFlash(price, isStill ? '' : currentPrice, new Decimal(currentPrice).lt(before) ? 'down' : 'up')
  return (
    <TokenHeaderFrame
      emoji={emoji}
      name={name}
      symbol={symbol}
      creator={
        <>
          <PlayerLink {...creator} />
          {creatorAction}
        </>
      }
      isRugged={ruggedAt !== null}
      seal={!isStill && seal !== null && ruggedAt === null && <SealLine seal={seal} />}
      actions={actions}
      price={
        <>
          <span
            ref={price}
            className={`px-s round-s text-2xl heavy tight nowrap bleed-s inline-block ${classes.value}`}
          >
            <Price value={currentPrice} /> <small>SOL</small>
          </span>
          {!isStill && ruggedAt === null && (
            <span className="phone-only text-s tight nowrap">
              <Change percent={priceChange24h} />
            </span>
          )}
          <span className="small nowrap block phone-hidden">
            {formatUsdHint(new Decimal(currentPrice).mul(1_000_000).toFixed())} per million tokens
          </span>
        </>
      }
      marketCap={
        <>
          <span className={`px-s round-s text-2xl heavy tight nowrap bleed-s inline-block ${classes.value}`}>
            {formatMarketCap(marketCap)}
          </span>
          <span className="small nowrap block phone-hidden">{formatSol(marketCap, SOL_SHOWN)} SOL</span>
        </>
      }
    />
  )
}

interface TokenHeaderFrameProps {
  readonly emoji: string
  readonly name: string
  readonly symbol: string
  readonly creator: ReactNode
  readonly isRugged?: boolean
  readonly seal?: ReactNode
  readonly price: ReactNode
  readonly marketCap: ReactNode
  /** Buttons that belong to other features, one above the other. */
  readonly actions?: ReactNode
}

/** The header of a token's page, drawn as a ticket. */
export function TokenHeaderFrame(header: TokenHeaderFrameProps) {
  return (
    <header className={`flex round-m on-surface ${stub.ticket} ${classes.header}`}>
      <div className={`boxed fixed ${stub.stub} emoji text-3xl solid ${classes.stub}`} aria-hidden="true">
        {header.emoji}
      </div>
      <div className={`grow p-m-l grid middle gap-wide torn-left ${classes.body}`}>
        <div className={`fit ${classes.who}`}>
          <h1 className={`text-2xl tight breaks two-lines ${classes.name}`} title={header.name}>
            {header.name}
          </h1>
          <p className={`dim grid fit text-m phone-s nowrap gap-x-s ${classes.origin}`}>
            <span className="accent heavy spaced">{header.symbol}</span>
            {header.isRugged && <span className={`stamp alarm text-l phone-s ${classes.stamp}`}>Rugged</span>}
            <span className={`row baseline gap-xs fit ${classes.creator}`}>created by {header.creator}</span>
          </p>
          {header.seal}
        </div>
        {/* Render this element even if it is empty. Its buttons arrive later and must not move anything. */}
        <div className={`stack ${classes.actions}`}>{header.actions}</div>
        <dl className={`grid gap-x-l ${classes.figures}`}>
          <div className={classes.price}>
            <dt className="small tight">Price</dt>
            <dd>{header.price}</dd>
          </div>
          <div>
            <dt className="small tight">Market cap</dt>
            <dd>{header.marketCap}</dd>
          </div>
        </dl>
      </div>
    </header>
  )
}
