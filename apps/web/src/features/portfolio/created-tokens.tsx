import { formatSol } from '@papermoon/format'
import { memo } from 'react'
import { Notice } from '../../components/feedback/notice.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Price } from '../../components/figures/price.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { usePortion } from '../../components/form/use-portion.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { TokenCell, TokenRow, TokenRowsSkeleton, TokenTable } from '../../components/tokens/token-table.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import type { Dashboard } from '../../lib/api/api.ts'

const COLUMNS = ['Token', 'Created', 'Price', 'Liquidity']
const SOL_SHOWN = 2

type Created = Dashboard['createdTokens']

export function CreatedTokens({ tokens }: { tokens: Created | undefined }) {
  return (
    <Panel title="Created Tokens">
      {tokens === undefined ? (
        <TokenRowsSkeleton label="Loading created tokens" />
      ) : tokens.length === 0 ? (
        <Notice
          level={3}
          emoji="🎪"
          title="No tokens created"
          action={
            <ButtonLink to="/launch" look="quiet">
              Launch Token
            </ButtonLink>
          }
        >
          Launch your first token. There is always room for one more tent.
        </Notice>
      ) : (
        <CreatedTable tokens={tokens} />
      )}
    </Panel>
  )
}

function CreatedTable({ tokens }: { tokens: Created }) {
  const { shown, more } = usePortion(tokens)
  return (
    <>
      <TokenTable label="Created Tokens" columns={COLUMNS}>
        {shown.map((token) => (
          <CreatedRow key={token.tokenId} token={token} />
        ))}
      </TokenTable>
      {more}
    </>
  )
}

const CreatedRow = memo(function CreatedRow({ token }: { token: Created[number] }) {
  const { tokenId, tokenName, tokenSymbol, emoji, createdAt, currentPrice, liquiditySOL, ruggedAt, sealedUntil } = token
  return (
    <TokenRow>
      <TokenCell>
        <TokenTag
          id={tokenId}
          emoji={emoji}
          name={tokenName}
          symbol={tokenSymbol}
          rugged={ruggedAt !== null}
          sealedUntil={sealedUntil}
        />
      </TokenCell>
      <TokenCell place="left">
        <Ago time={createdAt} />
      </TokenCell>
      <TokenCell place="right">
        <span className="semibold">
          <Price value={currentPrice} /> <small>SOL</small>
        </span>
      </TokenCell>
      <TokenCell place="right">
        <span className="phone-s" title={`${liquiditySOL} SOL`}>
          <span className="phone-only">liquidity </span>
          {formatSol(liquiditySOL, SOL_SHOWN)} <small>SOL</small>
        </span>
      </TokenCell>
    </TokenRow>
  )
})
