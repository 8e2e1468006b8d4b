import { memo } from 'react'
import { Ago } from '../../components/figures/ago.tsx'
import { Figure } from '../../components/figures/figure.tsx'
import { Price } from '../../components/figures/price.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { usePortion } from '../../components/form/use-portion.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { TokenRowsSkeleton } from '../../components/tokens/token-table.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import type { Profile } from '../../lib/api/api.ts'
import { formatSol } from '../../lib/format/format.ts'
import classes from './profile-list.module.css'

const PRICE_SHOWN = 9
const LIQUIDITY_SHOWN = 2

type Created = Profile['createdTokens']

interface ProfileCreatedProps {
  readonly tokens: Created | undefined
  /** Whether this is the viewer's own profile. */
  readonly isOwn: boolean
}

/** The tokens a player launched; undefined while loading. */
export function ProfileCreated({ tokens, isOwn }: ProfileCreatedProps) {
  return (
    <Panel title="Created Tokens">
      {tokens === undefined ? (
        <TokenRowsSkeleton label="Loading created tokens" />
      ) : tokens.length === 0 ? (
        <div className={classes.none}>
          <p>No tokens created</p>
          {isOwn && <ButtonLink to="/launch">Launch Token</ButtonLink>}
        </div>
      ) : (
        <CreatedList tokens={tokens} />
      )}
    </Panel>
  )
}

function CreatedList({ tokens }: { tokens: Created }) {
  const { shown, more } = usePortion(tokens)
  return (
    <>
      <ul className={classes.list}>
        {shown.map((token) => (
          <CreatedLine key={token.id} token={token} />
        ))}
      </ul>
      {more}
    </>
  )
}

const CreatedLine = memo(function CreatedLine({ token }: { token: Created[number] }) {
  const { id, name, symbol, emoji, createdAt, currentPrice, liquidity, ruggedAt } = token
  return (
    <li className={classes.line}>
      <span className={classes.token}>
        <TokenTag id={id} emoji={emoji} name={name} symbol={symbol} rugged={ruggedAt !== null}>
          <span className={classes.amount}>
            <Ago time={createdAt} />
          </span>
        </TokenTag>
      </span>
      <span className={classes.figures}>
        <Figure beside={<span title={`${liquidity} SOL`}>{formatSol(liquidity, LIQUIDITY_SHOWN)} SOL liquidity</span>}>
          <Price value={currentPrice} decimals={PRICE_SHOWN} /> SOL
        </Figure>
      </span>
    </li>
  )
})
