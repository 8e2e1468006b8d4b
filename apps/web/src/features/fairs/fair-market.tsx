import { formatMarketCap, formatSol } from '@papermoon/format'
import type { ReactNode } from 'react'
import { Change } from '../../components/figures/change.tsx'
import { Price } from '../../components/figures/price.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { TokenCell, TokenRow, TokenRowsSkeleton, TokenTable } from '../../components/tokens/token-table.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import { type Fair, type FairBag, type FairRanking, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { isIn } from '../../lib/fairs/fair-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { FairGain } from './fair-gain.tsx'
import classes from './fairs.module.css'

const SOL_SHOWN = 4
const BAG_SHOWN = 2

interface FairMarketProps {
  readonly fair: Fair
  readonly ranking: FairRanking | undefined
}

export function FairMarket({ fair, ranking }: FairMarketProps) {
  const isPlaying = isIn(fair)
  return (
    <>
      {isPlaying && <OwnCards fair={fair} mine={ranking?.mine ?? undefined} total={ranking?.total} />}
      <Tokens fair={fair} isPlaying={isPlaying} />
    </>
  )
}

interface OwnCardsProps {
  readonly fair: Fair
  readonly mine: FairRanking['entrants'][number] | undefined
  readonly total: number | undefined
}

function OwnCards({ fair, mine, total }: OwnCardsProps) {
  const bag = trpc.fairs.bag.useQuery({ id: fair.id })
  const unranked = mayBecomeRanked(fair, useNow())
    ? `not ranked yet: trade ${fair.stake} SOL`
    : 'not ranked: too late now'
  return (
    <dl className={classes.own}>
      <Figure label="Your rank" beside={mine && (mine.isRanked ? `of ${total}` : unranked)}>
        {mine?.place}
      </Figure>
      <Figure label="Score" beside={mine && <FairGain score={mine.score} stake={fair.stake} />}>
        {mine && <Sol value={mine.score} />}
      </Figure>
      <Figure label="To spend" beside={bag.data && `if you sold all now: ${formatSol(bag.data.cashOut, SOL_SHOWN)}`}>
        {bag.data && <Sol value={bag.data.balance} />}
      </Figure>
    </dl>
  )
}

/** Whether trades still count towards being ranked: those before the last third do. */
export function mayBecomeRanked({ startsAt, endsAt }: Pick<Fair, 'startsAt' | 'endsAt'>, nowMs: number): boolean {
  const startMs = Date.parse(startsAt)
  return nowMs < startMs + ((Date.parse(endsAt) - startMs) * 2) / 3
}

function Figure({ label, beside, children }: { label: string; beside: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{children ?? '…'}</b>
        <small>{beside}</small>
      </dd>
    </div>
  )
}

function Sol({ value }: { value: string }) {
  return <span title={`${value} SOL`}>{formatSol(value, SOL_SHOWN)}</span>
}

const COLUMNS = ['Token', 'Price', 'Market Cap', 'Change'] as const

function Tokens({ fair, isPlaying }: { fair: Fair; isPlaying: boolean }) {
  const user = useCurrentUser()
  const { data } = trpc.fairs.tokens.useQuery({ id: fair.id })
  const bag = trpc.fairs.bag.useQuery({ id: fair.id }, { enabled: isPlaying })
  const findBag = (id: number) => bag.data?.holdings.find(({ token }) => token.id === id)
  const mayLaunch =
    isPlaying &&
    fair.state === 'open' &&
    (fair.launches === 'all' || (fair.launches === 'host' && fair.host?.id === user?.id))
  const launch = mayLaunch && (
    <ButtonLink to="/launch" search={{ fair: fair.id }} look="quiet">
      Launch a token
    </ButtonLink>
  )
  return (
    <Panel title="Tokens" aside={launch}>
      {data === undefined ? (
        <TokenRowsSkeleton label="Loading tokens" />
      ) : data.length === 0 ? (
        <p className="dim">
          {mayLaunch
            ? 'Nothing to trade yet. Launch the first token, and all eyes are on you.'
            : 'Nothing to trade yet.'}
        </p>
      ) : (
        <TokenTable label="Tokens" columns={COLUMNS}>
          {data.map((token) => (
            <TokenRow key={token.id}>
              <TokenCell>
                <TokenTag {...token} rugged={token.isRugged} />
              </TokenCell>
              <TokenCell place="left">
                <Price value={token.currentPrice} />
              </TokenCell>
              <TokenCell place="right">{formatMarketCap(token.marketCap)}</TokenCell>
              <TokenCell place="right">
                <Change percent={token.change} />
                <OwnBag bag={findBag(token.id)} />
              </TokenCell>
            </TokenRow>
          ))}
        </TokenTable>
      )}
    </Panel>
  )
}

function OwnBag({ bag }: { bag: FairBag['holdings'][number] | undefined }) {
  if (bag === undefined) return null
  return (
    <small className={classes.bag} title={`What selling ${bag.amount} ${bag.token.symbol} now would pay`}>
      yours: {formatSol(bag.cashOut, BAG_SHOWN)} SOL
    </small>
  )
}
