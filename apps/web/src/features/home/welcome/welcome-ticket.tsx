import { formatChange, formatSol, getSign } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FairClock } from '../../../components/fairs/fair-clock.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Trend } from '../../../components/figures/change.tsx'
import { Gain } from '../../../components/figures/gain.tsx'
import { formatOrdinal } from '../../../components/ranks/six-hour-rank.tsx'
import { type Fair, type Tape, trpc, type Welcome } from '../../../lib/api/api.ts'
import { hasJoined } from '../../../lib/fairs/fair-time.ts'
import { chooseFair, useFairList } from '../../../lib/fairs/use-fair-list.ts'
import { counted } from '../../../lib/format/counted.ts'
import { timeBetween } from '../../../lib/format/relative-time.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { useDailyGame } from '../../../lib/market/use-daily-game.ts'
import { forgetAway } from '../../../lib/ui/visits.ts'
import { NextButton } from '../hero/tonight-ticket.tsx'
import classes from './welcome-ticket.module.css'

/**
 * Shows what happened while the player was away since `since` (Unix ms), and a button for the next action. Each line
 * links to its token or page. Another button closes the card.
 */
export function WelcomeTicket({ sinceMs }: { sinceMs: number }) {
  const since = new Date(sinceMs).toISOString()
  const query = trpc.portfolio.welcome.useQuery({ since }, { staleTime: Number.POSITIVE_INFINITY })
  const tape = useDailyGame().data
  const fairs = useFairList().data
  const fair = fairs && chooseFair(fairs)
  const now = useNow()
  return (
    <section className={`full mt-s p-m-l round-m on-raised edge ${classes.ticket}`} aria-labelledby="welcome-title">
      <div className="row gap-x-m touch">
        <h2 id="welcome-title" className="text-xl">
          Welcome back
        </h2>
        <button type="button" className="icon-button ml-auto" aria-label="Dismiss the news" onClick={forgetAway}>
          ✕
        </button>
      </div>
      <p className="dim">You were away for {timeBetween(since, new Date(now).toISOString())}.</p>
      {query.isPending ? (
        <Skeleton label="Loading the news" height={96} />
      ) : (
        <ul className="columns">
          {query.data !== undefined && <News {...query.data} />}
          {tape !== undefined && <TapeLine tape={tape} />}
          {fair !== undefined && <FairLine fair={fair} />}
        </ul>
      )}
      <div className={`grid mt-s ${classes.act}`}>{fairs && tape && <NextButton fair={fair} tape={tape} />}</div>
    </section>
  )
}

function News({ gain, bags, buyers, orders, passedBy, seal, league }: Welcome) {
  const now = useNow()
  return (
    <>
      {gain !== null && (
        <Line emoji="💰">
          <Link to="/portfolio">
            Net worth <Gain sol={gain} decimals={2} /> SOL
          </Link>
        </Line>
      )}
      {bags.map(({ token, percent }) => (
        <TokenLine key={token.id} token={token}>
          <b>{token.symbol}</b> <Trend sign={getSign(percent)}>{formatChange(percent)}</Trend>
        </TokenLine>
      ))}
      {buyers !== null && (
        <TokenLine token={buyers.token}>
          {buyers.tokens === 1
            ? `${counted(buyers.players, 'player')} bought ${buyers.token.symbol} for ${formatSol(buyers.sol, 2)} SOL`
            : `${counted(buyers.players, 'player')} bought your tokens for ${formatSol(buyers.sol, 2)} SOL, mostly ${buyers.token.symbol}`}
        </TokenLine>
      )}
      {orders !== null && (
        <TokenLine token={orders.token}>
          {orders.count === 1
            ? `Your order for ${orders.token.symbol} was filled`
            : `${orders.count} of your orders were filled, the last for ${orders.token.symbol}`}
        </TokenLine>
      )}
      {passedBy !== null && (
        <Line emoji="🏅">
          <Link to="/leaderboard">{passedBy.username} passed you in the Top 3</Link>
        </Line>
      )}
      {league !== null && (
        <Line emoji="🏆">
          <Link to="/leaderboard" hash="league" resetScroll={false}>
            You are {formatOrdinal(league.place)} in division {league.division} of the league
            {league.passedBy !== null && `. ${league.passedBy.username} passed you`}
          </Link>
        </Line>
      )}
      {seal !== null && (
        <TokenLine token={seal.token}>
          {seal.token.symbol}’s seal ends in {timeBetween(new Date(now).toISOString(), seal.until)}
        </TokenLine>
      )}
    </>
  )
}

function TapeLine({ tape: { day, calendar, streak } }: { tape: Tape }) {
  const played = calendar.find((one) => one.day === day)
  const days = streak > 0 && ` · streak of ${counted(streak, 'day')}`
  return (
    <Line emoji="📼">
      <Link to="/tape">
        {played === undefined ? 'Play today’s tape' : `Today’s tape: ${formatChange(played.percent)}`}
        {days}
      </Link>
    </Line>
  )
}

function FairLine({ fair }: { fair: Fair }) {
  return (
    <Line emoji="🎡">
      <Link to="/fairs/{-$id}" params={{ id: String(fair.id) }}>
        {fair.name}
        {hasJoined(fair) && ' (you are in)'} <FairClock fair={fair} />
      </Link>
    </Line>
  )
}

function TokenLine({ token, children }: { token: Welcome['bags'][number]['token']; children: ReactNode }) {
  return (
    <Line emoji={token.emoji}>
      <Link to="/token/$id" params={{ id: String(token.id) }}>
        {children}
      </Link>
    </Line>
  )
}

function Line({ emoji, children }: { emoji: string; children: ReactNode }) {
  return (
    <li className={`row gap-s fit ${classes.line}`}>
      <span className={`fixed emoji text-center ${classes.emoji}`} aria-hidden="true">
        {emoji}
      </span>
      {children}
    </li>
  )
}
