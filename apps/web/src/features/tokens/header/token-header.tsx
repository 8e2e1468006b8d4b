import { Decimal } from '@papermoon/amm'
import { type ReactNode, useRef } from 'react'
import { Price } from '../../../components/figures/price.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { formatMarketCap, formatSol, formatUsdHint } from '../../../lib/format/format.ts'
import { useFlash } from '../../../lib/hooks/use-flash.ts'
import { usePrevious } from '../../../lib/hooks/use-previous.ts'
import classes from './token-header.module.css'
import { TokenHeaderFrame } from './token-header-frame.tsx'

const SOL_SHOWN = 2

interface TokenHeaderProps {
  readonly token: Token
  readonly actions?: ReactNode
  /** Whether to leave out the flash of a changing price. */
  readonly isStill?: boolean
}

/** The header with the token's names and current figures. */
export function TokenHeader({ token, actions, isStill = false }: TokenHeaderProps) {
  const { name, symbol, emoji, creator, currentPrice, marketCap, ruggedAt } = token
  const price = useRef<HTMLElement>(null)
  const before = usePrevious(currentPrice)
  useFlash(price, isStill ? '' : currentPrice, new Decimal(currentPrice).lt(before) ? 'down' : 'up')
  return (
    <TokenHeaderFrame
      emoji={emoji}
      name={name}
      symbol={symbol}
      creator={<PlayerLink {...creator} />}
      isRugged={ruggedAt !== null}
      actions={actions}
      price={
        <>
          <span ref={price} className={classes.value}>
            <Price value={currentPrice} /> <span className={classes.unit}>SOL</span>
          </span>
          <span className={classes.beside}>
            {formatUsdHint(new Decimal(currentPrice).mul(1_000_000).toFixed())} per million
          </span>
        </>
      }
      marketCap={
        <>
          <span className={classes.value}>{formatMarketCap(marketCap)}</span>
          <span className={classes.beside}>{formatSol(marketCap, SOL_SHOWN)} SOL</span>
        </>
      }
    />
  )
}
