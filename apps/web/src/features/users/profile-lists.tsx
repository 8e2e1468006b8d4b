import { formatSol, formatTokens } from '@papermoon/format'
import { memo } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { Figure } from '../../components/figures/figure.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Price } from '../../components/figures/price.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { usePortion } from '../../components/form/use-portion.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { TokenRowsSkeleton } from '../../components/tokens/token-table.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import { type PlayerTrade, type Profile, type TokenId, trpc, type UserId } from '../../lib/api/api.ts'
import { useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'
import { concernsHolder } from '../../lib/live/concerns-holder.ts'
import type { MarketEvent } from '../../lib/live/live-events.ts'
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
  const { id, name, symbol, emoji, createdAt, currentPrice, liquidity, ruggedAt, sealedUntil } = token
  return (
    <li className={classes.line}>
      <span className={classes.token}>
        <TokenTag
          id={id}
          emoji={emoji}
          name={name}
          symbol={symbol}
          rugged={ruggedAt !== null}
          sealedUntil={sealedUntil}
        >
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

const HOLDING_SHOWN = 6

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
  const { tokenId, tokenName, tokenSymbol, emoji, amount, totalValue, cashOutValue, ruggedAt, sealedUntil } = holding
  return (
    <li className={classes.line}>
      <span className={classes.token}>
        <TokenTag
          id={tokenId}
          emoji={emoji}
          name={tokenName}
          symbol={tokenSymbol}
          rugged={ruggedAt !== null}
          sealedUntil={sealedUntil}
        >
          <span className={classes.amount} title={amount}>
            {formatTokens(amount)}
          </span>
        </TokenTag>
      </span>
      <span className={classes.figures}>
        <Figure beside={<span title={`${cashOutValue} SOL`}>cash-out {formatSol(cashOutValue, HOLDING_SHOWN)}</span>}>
          <span title={`${totalValue} SOL`}>≈ {formatSol(totalValue, HOLDING_SHOWN)} SOL</span>
        </Figure>
      </span>
    </li>
  )
})

const TRADE_SHOWN = 6

/** A player's latest trades, live. */
export function ProfileTrades({ id }: { id: UserId }) {
  const { data, isError, error, refetch } = trpc.users.trades.useQuery({ id })
  // Of other players' events, only rug pulls of tokens listed here matter.
  const tokens = (event: MarketEvent) =>
    new Set<TokenId>(event.type === 'rug_pull' ? data?.map(({ tokenId }) => tokenId) : [])
  useRefetchOn({ concerns: (event) => concernsHolder(event, id, tokens(event)), refetch })
  return (
    <Panel title="Recent Trades">
      {data === undefined ? (
        isError ? (
          <FetchFailed level={3} title="The trades did not come" error={error} onRetry={() => void refetch()} />
        ) : (
          <TokenRowsSkeleton label="Loading trades" />
        )
      ) : data.length === 0 ? (
        <div className={classes.none}>
          <p>No trades yet</p>
        </div>
      ) : (
        <ul className={classes.list}>
          {data.map((trade) => (
            <TradeLine key={trade.id} trade={trade} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function TradeLine({ trade }: { trade: PlayerTrade }) {
  const { tokenId, tokenName, tokenSymbol, emoji, side, solAmount, tokenAmount, createdAt, ruggedAt } = trade
  return (
    <li className={classes.line}>
      <span className={classes.token}>
        <TokenTag id={tokenId} emoji={emoji} name={tokenName} symbol={tokenSymbol} rugged={ruggedAt !== null}>
          <span className={classes.amount}>
            <Ago time={createdAt} />
          </span>
        </TokenTag>
      </span>
      <span className={classes.figures}>
        <Figure
          beside={
            <span title={tokenAmount}>
              {side === 'buy' ? 'bought' : 'sold'} {formatTokens(tokenAmount)}
            </span>
          }
        >
          <span title={`${solAmount} SOL`}>{formatSol(solAmount, TRADE_SHOWN)}</span> SOL
        </Figure>
      </span>
    </li>
  )
}
