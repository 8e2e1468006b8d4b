import { formatCount, formatMarketCap, formatSol, formatTokens, formatUsdHint } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { Fetched } from '../../../components/feedback/fetched.tsx'
import { Fact } from '../../../components/figures/fact.tsx'
import { Button } from '../../../components/form/button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PlayerLink } from '../../../components/tokens/player-link.tsx'
import { type RugStory, type Token, trpc } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatLongMoment } from '../../../lib/format/moment-text.ts'
import { timeBetween } from '../../../lib/format/relative-time.ts'
import { shareCard } from '../../../lib/ui/share-card.ts'
import classes from './rug-story-panel.module.css'
import holder from './top-holders.module.css'

/**
 * Says what the creator of a rugged token received, and who lost most. The panel is empty until this data is loaded.
 */
export function RugStoryPanel({ token }: { token: Token }) {
  const query = trpc.tokens.rugStory.useQuery({ id: token.id })
  if (query.isPending) return null
  return (
    <Panel title="The rug was pulled" className={classes.panel}>
      <Fetched query={query} failure="Could not load what happened" skeleton={null}>
        {(story) => (
          <div className="stack gap-l fit">
            <Ending story={story} symbol={token.symbol} />
            <Life story={story} />
            <div className="apart">
              {/* The rug pull is the event after the last trade. */}
              <Link to="/token/$id" params={{ id: String(token.id) }} search={{ at: story.totalTrades + 1 }}>
                Watch the rug pull happen
              </Link>
              <ShareStory token={token} story={story} />
            </div>
            {story.losers.length > 0 && <Losers story={story} symbol={token.symbol} />}
          </div>
        )}
      </Fetched>
    </Panel>
  )
}

function Ending({ story, symbol }: { story: RugStory; symbol: string }) {
  const { creator, launchedAt, ruggedAt, ruggedAmount, holders, lost } = story
  return (
    <p className={`text-m breaks prose ${classes.text}`}>
      <PlayerLink {...creator} /> pulled the rug on <time dateTime={ruggedAt}>{formatLongMoment(ruggedAt)}</time>,{' '}
      {timeBetween(launchedAt, ruggedAt)} after the launch, and took{' '}
      <strong title={`${ruggedAmount} SOL`}>{formatSol(ruggedAmount)} SOL</strong>.{' '}
      {holders === 0 ? (
        'No other player held the token then.'
      ) : (
        <>
          {counted(holders, 'other player')} held {symbol} then. Their tokens had cost{' '}
          <strong title={`${lost} SOL`}>{formatSol(lost)} SOL</strong> and are now worth nothing.
        </>
      )}
    </p>
  )
}

function Life({ story }: { story: RugStory }) {
  const { launchedAt, ruggedAt, ruggedAmount, totalTrades, peakMarketCap } = story
  return (
    <dl className="columns-s">
      <Fact label="Drained" exact={`${ruggedAmount} SOL`} beside={formatUsdHint(ruggedAmount)}>
        {formatSol(ruggedAmount)} SOL
      </Fact>
      <Fact label="Lifetime">{timeBetween(launchedAt, ruggedAt)}</Fact>
      <Fact label="Trades">{formatCount(totalTrades)}</Fact>
      <Fact label="Peak market cap" exact={`${peakMarketCap} SOL`} beside={`${formatSol(peakMarketCap, 2)} SOL`}>
        {formatMarketCap(peakMarketCap)}
      </Fact>
    </dl>
  )
}

function Losers({ story, symbol }: { story: RugStory; symbol: string }) {
  const user = useCurrentUser()
  const { losers, holders } = story
  const more = holders - losers.length
  return (
    <section aria-label="Biggest losses">
      <h3 className="small mb-s semibold">Biggest losses</h3>
      <ol className="grid gap-wide cols-2 phone-one-col">
        {losers.map(({ rank, userId, username, isBot, amount, cost }) => (
          <li key={userId} className={`row gap-s p-xs-s text-s clipped relative torn-bottom ${holder.holder}`}>
            <span className={`fixed dim bold text-center ${holder.rank}`}>{rank}</span>
            <span className={`row gap-x-s grow wrap ${holder.name}`}>
              <PlayerLink id={userId} username={username} isBot={isBot} />
              {userId === user?.id && <span className="fixed px-s round dim text-xs semibold edge-strong">you</span>}
            </span>
            <span className="fixed alarm bold" title={`${cost} SOL for ${formatTokens(amount)} ${symbol}`}>
              <span aria-hidden="true">−</span>
              <span className="visually-hidden">lost </span>
              {formatSol(cost)} SOL
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && <p className="small p-s">and {counted(more, 'more player', 'more players')}</p>}
    </section>
  )
}

const SHARED_SOL = 2

function ShareStory({ token, story }: { token: Token; story: RugStory }) {
  const { id, name, symbol } = token
  const drained = `${name} (${symbol}) was rugged: ${formatSol(story.ruggedAmount, SHARED_SOL)} SOL drained`
  const summary =
    story.holders === 0 ? `${drained}.` : `${drained}, ${counted(story.holders, 'player')} left holding the bag.`
  const share = () =>
    shareCard({
      path: `/og/token/${id}.png`,
      name: `${symbol}-rug.png`,
      text: `${summary} ${new URL(`/token/${id}`, location.origin).href}`,
      link: `/token/${id}`,
    })
  return (
    <Button look="quiet" onClick={() => void share()}>
      Share the story
    </Button>
  )
}
