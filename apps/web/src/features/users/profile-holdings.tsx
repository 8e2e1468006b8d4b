import { memo } from 'react'
import { Figure } from '../../components/figures/figure.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { usePortion } from '../../components/form/use-portion.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { TokenRowsSkeleton } from '../../components/tokens/token-table.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import type { Profile } from '../../lib/api/api.ts'
import { formatSol, formatTokens } from '../../lib/format/format.ts'
import classes from './profile-list.module.css'

const SOL_SHOWN = 6

type Holdings = Profile['holdings']

interface ProfileHoldingsProps {
  readonly holdings: Holdings | undefined
  /** Whether this is the viewer's own profile. */
  readonly isOwn: boolean
}

/** The player's holdings; undefined while loading. */
export function ProfileHoldings({ holdings, isOwn }: ProfileHoldingsProps) {
  return (
    <Panel title="Holdings">
      {holdings === undefined ? (
        <TokenRowsSkeleton label="Loading holdings" />
      ) : holdings.length === 0 ? (
        <div className={classes.none}>
          <p>No holdings</p>
          {isOwn && <ButtonLink to="/">Find a token to buy</ButtonLink>}
        </div>
      ) : (
        <HoldingList holdings={holdings} />
      )}
    </Panel>
  )
}

function HoldingList({ holdings }: { holdings: Holdings }) {
  const { shown, more } = usePortion(holdings)
  return (
    <>
      <ul className={classes.list}>
        {shown.map((holding) => (
          <HoldingLine key={holding.tokenId} holding={holding} />
        ))}
      </ul>
      {more}
    </>
  )
}

const HoldingLine = memo(function HoldingLine({ holding }: { holding: Holdings[number] }) {
  const { tokenId, tokenName, tokenSymbol, emoji, amount, totalValue, cashOutValue, ruggedAt } = holding
  return (
    <li className={classes.line}>
      <span className={classes.token}>
        <TokenTag id={tokenId} emoji={emoji} name={tokenName} symbol={tokenSymbol} rugged={ruggedAt !== null}>
          <span className={classes.amount} title={amount}>
            {formatTokens(amount)}
          </span>
        </TokenTag>
      </span>
      <span className={classes.figures}>
        <Figure beside={<span title={`${cashOutValue} SOL`}>cash-out {formatSol(cashOutValue, SOL_SHOWN)}</span>}>
          <span title={`${totalValue} SOL`}>≈ {formatSol(totalValue, SOL_SHOWN)} SOL</span>
        </Figure>
      </span>
    </li>
  )
})
