import { formatSol, formatTokens } from '@papermoon/format'
import { memo, type ReactNode, useRef } from 'react'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Figure } from '../../../components/figures/figure.tsx'
import { Price } from '../../../components/figures/price.tsx'
import { Sol } from '../../../components/figures/sol.tsx'
import { Button, ButtonLink } from '../../../components/form/button.tsx'
import { TokenCell, TokenRow } from '../../../components/tokens/token-table.tsx'
import { TokenTag } from '../../../components/tokens/token-tag.tsx'
import type { TokenId } from '../../../lib/api/api.ts'
import { compareDecimals } from '../../../lib/format/compare-decimals.ts'
import { useFlash } from '../../../lib/hooks/use-flash.ts'
import { usePrevious } from '../../../lib/hooks/use-previous.ts'

export interface Holding {
  readonly tokenId: TokenId
  readonly tokenName: string
  readonly tokenSymbol: string
  readonly emoji: string
  readonly amount: string
  readonly currentPrice: string
  readonly cashOutValue: string
  readonly ruggedAt: string | null
  readonly sealedUntil: string | null
  readonly isListed: boolean
}

interface HoldingRowProps {
  readonly holding: Holding
  readonly value: string
  readonly isSelling: boolean
  readonly onSell: (tokenId: TokenId) => void
  readonly children?: ReactNode
}

/**
 * Shows a holding with its amount, price and value, and the SOL that selling it now would pay. The row has a sell
 * button.
 */
export const HoldingRow = memo(function HoldingRow({ holding, value, isSelling, onSell, children }: HoldingRowProps) {
  const { tokenId, tokenName, tokenSymbol, emoji, amount, currentPrice, cashOutValue, ruggedAt, isListed } = holding
  const shown = useRef<HTMLSpanElement>(null)
  const before = usePrevious(value)
  useFlash(shown, value, compareDecimals(value, before) < 0 ? 'down' : 'up')
  return (
    <TokenRow>
      <TokenCell>
        <TokenTag
          id={tokenId}
          emoji={emoji}
          name={tokenName}
          symbol={tokenSymbol}
          rugged={ruggedAt !== null}
          sealedUntil={holding.sealedUntil}
          isListed={isListed}
        />
      </TokenCell>
      <TokenCell place="left">
        <span title={`${amount} ${tokenSymbol}`}>{formatTokens(amount)}</span>
      </TokenCell>
      <TokenCell place="left">
        <span className="phone-only">at </span>
        <Price value={currentPrice} /> <small>SOL</small>
      </TokenCell>
      <TokenCell place="right">
        <span ref={shown} className="px-s round-s block bleed-s">
          <Figure
            beside={
              <span title={`You would get ${cashOutValue} SOL for selling all of this token now, after the fee`}>
                cash-out {formatSol(cashOutValue)}
              </span>
            }
          >
            <Sol value={value} hasUnit />
          </Figure>
        </span>
      </TokenCell>
      {children}
      <TokenCell place="action">
        {ruggedAt === null && (
          <Button
            id={sellButtonId(tokenId)}
            look="quiet"
            aria-expanded={isSelling}
            aria-controls={isSelling ? salePanelId(tokenId) : undefined}
            onClick={() => onSell(tokenId)}
          >
            Sell<span className="visually-hidden"> {tokenName}</span>
          </Button>
        )}
      </TokenCell>
    </TokenRow>
  )
})

export function NoHoldings() {
  return (
    <Notice level={3} emoji="👛" title="No holdings" action={<ButtonLink to="/">Find a token to buy</ButtonLink>}>
      Your pockets are full of SOL and empty of tokens.
    </Notice>
  )
}

export function sellButtonId(tokenId: TokenId): string {
  return `sell-${tokenId}`
}

export function salePanelId(tokenId: TokenId): string {
  return `sale-of-${tokenId}`
}
