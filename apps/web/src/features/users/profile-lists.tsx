import { formatSol, formatTokens } from '@papermoon/format'
import { type ComponentProps, memo, type ReactNode } from 'react'
import { UnlessFailed } from '../../components/feedback/fetched.tsx'
import { Figure } from '../../components/figures/figure.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Price } from '../../components/figures/price.tsx'
import { Sol } from '../../components/figures/sol.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { ListPanel } from '../../components/tokens/list-panel.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import { type MarketEvent, type PlayerTrade, type Profile, type TokenId, trpc, type UserId } from '../../lib/api/api.ts'
import { concernsHolder, useRefetchOn } from '../../lib/hooks/use-refetch-on.ts'

const PRICE_SHOWN = 9
const LIQUIDITY_SHOWN = 2

interface ProfileBagsProps {
  /** The player's profile, or undefined while it is loading. */
  readonly profile: Profile | undefined
  /** Whether this is the viewer's own profile. */
  readonly isOwn: boolean
}

/** Lists the player's holdings and the tokens that the player launched. */
export function ProfileBags({ profile, isOwn }: ProfileBagsProps) {
  return (
    <>
      <ProfileList
        title="Holdings"
        items={profile?.holdings}
        none="No holdings"
        action={isOwn && <ButtonLink to="/">Find a token to buy</ButtonLink>}
        renderLine={(holding) => <HoldingLine key={holding.tokenId} holding={holding} />}
      />
      <ProfileList
        title="Created Tokens"
        items={profile?.createdTokens}
        none="No tokens created"
        action={
          isOwn && (
            <ButtonLink to="/launch" look="quiet">
              Launch Token
            </ButtonLink>
          )
        }
        renderLine={(token) => <CreatedLine key={token.id} token={token} />}
      />
    </>
  )
}

const CreatedLine = memo(function CreatedLine({ token }: { token: Profile['createdTokens'][number] }) {
  const { createdAt, currentPrice, liquidity, ruggedAt } = token
  return (
    <Line
      token={{ ...token, rugged: ruggedAt !== null }}
      below={<Ago time={createdAt} />}
      beside={<span title={`${liquidity} SOL`}>{formatSol(liquidity, LIQUIDITY_SHOWN)} SOL liquidity</span>}
    >
      <Price value={currentPrice} decimals={PRICE_SHOWN} /> SOL
    </Line>
  )
})

const HoldingLine = memo(function HoldingLine({ holding }: { holding: Profile['holdings'][number] }) {
  const { amount, totalValue, cashOutValue, sealedUntil } = holding
  return (
    <Line
      token={{ ...toTag(holding), sealedUntil }}
      below={<span title={amount}>{formatTokens(amount)}</span>}
      beside={<span title={`${cashOutValue} SOL`}>cash-out {formatSol(cashOutValue)}</span>}
    >
      <span title={`${totalValue} SOL`}>≈ {formatSol(totalValue)} SOL</span>
    </Line>
  )
})

/** Lists a player's latest trades, live. */
export function ProfileTrades({ id }: { id: UserId }) {
  const query = trpc.users.trades.useQuery({ id })
  const { data } = query
  // Other players' events matter only if they are rug pulls of tokens in the list.
  const tokens = (event: MarketEvent) =>
    new Set<TokenId>(event.type === 'rug_pull' ? data?.map(({ tokenId }) => tokenId) : [])
  useRefetchOn((event) => concernsHolder(event, id, tokens(event)), query.refetch)
  return (
    <UnlessFailed query={query} failure="Could not load trades">
      <ProfileList
        title="Recent Trades"
        items={data}
        none="No trades yet"
        renderLine={(trade) => <TradeLine key={trade.id} trade={trade} />}
      />
    </UnlessFailed>
  )
}

function TradeLine({ trade }: { trade: PlayerTrade }) {
  const { side, solAmount, tokenAmount, createdAt } = trade
  return (
    <Line
      token={toTag(trade)}
      below={<Ago time={createdAt} />}
      beside={
        <span title={tokenAmount}>
          {side === 'buy' ? 'bought' : 'sold'} {formatTokens(tokenAmount)}
        </span>
      }
    >
      <Sol value={solAmount} /> SOL
    </Line>
  )
}

function toTag({
  tokenId,
  tokenName,
  tokenSymbol,
  emoji,
  ruggedAt,
}: Profile['holdings'][number] | PlayerTrade): LineProps['token'] {
  return { id: tokenId, emoji, name: tokenName, symbol: tokenSymbol, rugged: ruggedAt !== null }
}

interface ProfileListProps<Item> {
  readonly title: string
  /** The entries of the list, or undefined while they are loading. */
  readonly items: readonly Item[] | undefined
  /** Text to show if there are no items. The text suggests what the player can do. */
  readonly none: string
  readonly action?: ReactNode
  readonly renderLine: (item: Item) => ReactNode
}

function ProfileList<Item>({ title, items, none, action, renderLine }: ProfileListProps<Item>) {
  const empty = (
    <div className="dim stack middle gap-m p-l">
      <p>{none}</p>
      {action}
    </div>
  )
  return (
    <ListPanel title={title} items={items} empty={empty}>
      {(shown) => <ul className="bleed-s">{shown.map(renderLine)}</ul>}
    </ListPanel>
  )
}

interface LineProps {
  readonly token: Omit<ComponentProps<typeof TokenTag>, 'children'>
  /** Content under the token's name. */
  readonly below: ReactNode
  /** Content under the value. */
  readonly beside: ReactNode
  readonly children: ReactNode
}

function Line({ token: { id, emoji, name, symbol, rugged, sealedUntil }, below, beside, children }: LineProps) {
  return (
    <li className="row gap-m between p-s round-s relative row-high hover-raised">
      <span className="grow">
        <TokenTag id={id} emoji={emoji} name={name} symbol={symbol} rugged={rugged} sealedUntil={sealedUntil ?? null}>
          <span className="cut small">{below}</span>
        </TokenTag>
      </span>
      <span className="fixed text-right">
        <Figure beside={beside}>{children}</Figure>
      </span>
    </li>
  )
}
