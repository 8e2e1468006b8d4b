import { Decimal, solText } from '@papermoon/amm'
import { FAIR_LAUNCHES_MAX } from '@papermoon/contract/fair-tokens'
import { formatMarketCap, formatSol } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Change, Trend } from '../../components/figures/change.tsx'
import { Gain } from '../../components/figures/gain.tsx'
import { Sol } from '../../components/figures/sol.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PlayerLink } from '../../components/tokens/player-link.tsx'
import { TokenCell, TokenRow, TokenRowsSkeleton, TokenTable } from '../../components/tokens/token-table.tsx'
import { TokenTag } from '../../components/tokens/token-tag.tsx'
import { cache, type Fair, type FairBag, type FairRanking, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { describeGap } from '../../lib/fairs/describe-gap.ts'
import { describeTime, hasJoined, nameBellPart, toClock } from '../../lib/fairs/fair-time.ts'
import { mayLaunch } from '../../lib/fairs/use-fair-in-header.ts'
import { counted } from '../../lib/format/counted.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { TRADES_SHOWN } from './fair-alarm.tsx'
import { FairGain, TakenOff, WhyTakenOff } from './fair-gain.tsx'
import classes from './fairs.module.css'
import { QuickTrade } from './quick-trade.tsx'

const SOL_SHOWN = 2

interface FairMarketProps {
  readonly fair: Fair
  readonly ranking: FairRanking | undefined
}

export function FairMarket({ fair, ranking }: FairMarketProps) {
  const isPlaying = hasJoined(fair)
  return (
    <>
      {isPlaying && <OwnCards fair={fair} ranking={ranking} />}
      <div className={`stack gap-l ${classes.market}`}>
        <Tokens fair={fair} isPlaying={isPlaying} />
        <FairTrades id={fair.id} />
      </div>
    </>
  )
}

function OwnCards({ fair, ranking }: FairMarketProps) {
  const bag = trpc.fairs.bag.useQuery({ id: fair.id })
  const mine = ranking?.mine
  const { words, clock } = describeTime(fair, useNow())
  return (
    <>
      <dl className={`p-m phone-px-s round-m on-surface tight grid ${classes.own}`}>
        <Figure label="Your rank" beside={ranking && (describeQualified(ranking) ?? describeGap(ranking))}>
          {mine &&
            (mine.isRanked ? (
              <>
                {mine.place} <span className="small">of {ranking?.ranked}</span>
              </>
            ) : (
              '–'
            ))}
        </Figure>
        <Figure
          label="Score"
          beside={
            mine && (
              <>
                <FairGain score={mine.score} stake={fair.stake} />{' '}
                <TakenOff standing={mine.standing} score={mine.score} />
              </>
            )
          }
        >
          {mine && <Sol value={mine.score} digits={SOL_SHOWN} />}
        </Figure>
        <Figure label="SOL left" beside={bag.data && counted(bag.data.holdings.length, 'token')}>
          {bag.data && <Sol value={bag.data.balance} digits={SOL_SHOWN} />}
        </Figure>
        {/* On a phone, the title with the clock scrolls away, and these figures stay. */}
        <Figure
          label="Time left"
          beside={clock !== '' && nameBellPart(fair) !== null && 'at most'}
          className="phone-only"
        >
          <span className={clock === '' ? 'small' : ''} role="timer" aria-live="off">
            {clock || words}
          </span>
        </Figure>
      </dl>
      {bag.data !== undefined && bag.data.holdings.length > 0 && (
        <p className="small">
          <b>If you sold everything now: {formatSol(bag.data.cashOut, SOL_SHOWN)} SOL.</b> Your score counts your share
          of the SOL in each pool, which is what you get if you hold until the bell.
        </p>
      )}
      {mine && <WhyTakenOff {...mine} stake={fair.stake} limitedBy={ranking?.limitedBy} />}
      {mine?.isRanked === false &&
        (ranking?.qualifying ? <Qualifying {...ranking.qualifying} /> : <p>Make a trade to be ranked.</p>)}
    </>
  )
}

/** Returns how much of the amount needed for a rank the player has traded, or null if nothing is missing. */
function describeQualified({ mine, qualifying }: FairRanking): string | null {
  if (mine?.isRanked !== false || qualifying === null) return null
  return `traded ${formatSol(qualifying.traded, SOL_SHOWN)} of ${qualifying.needed}`
}

/** Shows how much of the amount needed for a rank the player has traded, and the deadline. */
function Qualifying({ traded, needed, until }: NonNullable<FairRanking['qualifying']>) {
  const leftMs = Date.parse(until) - useNow()
  if (leftMs <= 0) return <p className="dim">You did not trade {needed} SOL in time, so you will not be ranked.</p>
  return (
    <p className="row gap-x-m wrap dim">
      <progress className="grow" aria-label="Progress towards a rank" value={Number(traded)} max={Number(needed)} />
      To be ranked, trade {needed} SOL in the next {toClock(leftMs)}. You have traded {formatSol(traded, SOL_SHOWN)}{' '}
      SOL.
    </p>
  )
}

interface FigureProps {
  readonly label: string
  readonly beside?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

function Figure({ label, beside, children, className = '' }: FigureProps) {
  return (
    <div className={`px-m phone-px-s ${className}`}>
      <dt className="small">{label}</dt>
      <dd>
        <b className="text-l">{children ?? '…'}</b>
        <span className="small block">{beside}</span>
      </dd>
    </div>
  )
}

const COLUMNS = ['Token', 'Market Cap', 'Change'] as const

function Tokens({ fair, isPlaying }: { fair: Fair; isPlaying: boolean }) {
  const { data } = trpc.fairs.tokens.useQuery({ id: fair.id })
  const bag = trpc.fairs.bag.useQuery({ id: fair.id }, { enabled: isPlaying })
  const refetchBag = () => void cache.fairs.bag.invalidate({ id: fair.id })
  const findBag = (id: number) => bag.data?.holdings.find(({ token }) => token.id === id)
  const user = useCurrentUser()
  const launched = data?.filter(({ creator }) => creator.id === user?.id).length ?? 0
  const isLauncher = mayLaunch(fair) && launched < FAIR_LAUNCHES_MAX
  const launch = isLauncher && (
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
          {isLauncher
            ? 'There are no tokens yet. Launch the first one, and all eyes are on you.'
            : 'There are no tokens yet.'}
        </p>
      ) : (
        <TokenTable
          label="Tokens"
          columns={COLUMNS}
          tracks={`minmax(5rem, 1fr) auto auto${isPlaying ? ' auto' : ''}`}
          {...(isPlaying && { action: 'Trade' })}
        >
          {/* Oldest first, so that no row moves away under a finger. */}
          {data
            .toSorted((one, other) => one.id - other.id)
            .map((token) => (
              <TokenRow key={token.id}>
                <TokenCell>
                  <TokenTag {...token} rugged={token.isRugged} />
                </TokenCell>
                <TokenCell place="left">{formatMarketCap(token.marketCap)}</TokenCell>
                <TokenCell place="right">
                  <Change percent={token.change} />
                  <OwnBag bag={findBag(token.id)} />
                </TokenCell>
                {isPlaying && (
                  <TokenCell place="action">
                    <QuickTrade
                      stake={fair.stake}
                      token={token}
                      balance={bag.data?.balance}
                      isHeld={findBag(token.id) !== undefined}
                      onDone={refetchBag}
                    />
                  </TokenCell>
                )}
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
    <small
      className="block"
      title={`What you would get for selling ${bag.amount} ${bag.token.symbol} now, and your profit`}
    >
      You hold {formatSol(bag.cashOut, SOL_SHOWN)} SOL{' '}
      <Gain sol={solText(new Decimal(bag.cashOut).sub(bag.cost))} decimals={SOL_SHOWN} />
    </small>
  )
}

/** Shows the newest trades in a fair, live. */
function FairTrades({ id }: { id: number }) {
  const { data } = trpc.fairs.trades.useQuery({ id, limit: TRADES_SHOWN })
  return (
    <Panel title="Live trades">
      {data?.trades.length === 0 && <p className="dim">Nobody has traded yet.</p>}
      <ol className="stack gap-s text-s">
        {data?.trades.map((trade) => (
          <li key={trade.id} className="row baseline gap-s between fit" data-side={trade.side}>
            <span className="cut">
              <PlayerLink id={trade.userId} username={trade.username} isBot={trade.isBot} />
            </span>
            <span className="nowrap">
              <Trend sign={trade.side === 'buy' ? 1 : -1}>
                <span className="visually-hidden">{trade.side === 'buy' ? 'bought' : 'sold'}</span>
              </Trend>
              <Link to="/token/$id" params={{ id: String(trade.tokenId) }} title={trade.tokenName}>
                {trade.emoji} {trade.tokenSymbol}
              </Link>{' '}
              <b>
                <Sol value={trade.solAmount} digits={2} />
              </b>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
