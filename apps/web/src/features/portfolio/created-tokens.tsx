import { formatSol } from '@papermoon/format'
import { memo } from 'react'
import { Notice } from '../../components/feedback/notice.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Price } from '../../components/figures/price.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { ListPanel } from '../../components/tokens/list-panel.tsx'
import { TokenCell, TokenRow, TokenTable } from '../../components/tokens/token-table.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import type { Dashboard } from '../../lib/api/api.ts'

const COLUMNS = ['Token', 'Created', 'Price', 'Liquidity']
const SOL_SHOWN = 2

type Created = Dashboard['createdTokens']

export function CreatedTokens({ tokens }: { tokens: Created | undefined }) {
  const empty = (
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
  )
  return (
    <ListPanel title="Created Tokens" items={tokens} empty={empty}>
      {(shown) => (
        <TokenTable label="Created Tokens" columns={COLUMNS}>
          {shown.map((token) => (
            <CreatedRow key={token.tokenId} token={token} />
          ))}
        </TokenTable>
      )}
    </ListPanel>
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
