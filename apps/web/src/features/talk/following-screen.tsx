import { formatSol } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { LoginRequired } from '../../components/feedback/login-required.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { PlayerFace } from '../../components/tokens/player-avatar.tsx'
import { PlayerLink } from '../../components/tokens/player-link.tsx'
import { type FeedItem, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { polled } from '../../lib/api/query-client.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import classes from './talk.module.css'
import { toPostHash } from './use-posts.ts'

const EVERY_MS = 15_000

export function FollowingScreen() {
  const user = useCurrentUser()
  const feed = trpc.follows.feed.useQuery({}, { enabled: user !== null, ...polled(EVERY_MS) })
  if (user === null) return <LoginRequired>Please login to follow players and tokens.</LoginRequired>
  return (
    <div className={`mx-auto ${classes.screen}`}>
      <PageHead title="Following" lead="News about the players and tokens you follow." />
      <Fetched
        level={2}
        query={feed}
        failure="Could not load the feed"
        skeleton={<Skeleton height={320} />}
        empty={
          <Notice emoji="🔭" title="Nothing yet" action={<ButtonLink to="/leaderboard">Find players</ButtonLink>}>
            Follow players on their profiles, and tokens with the bell on their pages.
          </Notice>
        }
      >
        {(items) => (
          <ol aria-label="Feed">
            {items.map((item) => (
              <FeedRow key={`${item.at} ${item.kind} ${item.player.id} ${item.postId} ${item.sol}`} item={item} />
            ))}
          </ol>
        )}
      </Fetched>
    </div>
  )
}

const VERBS = { launch: 'launched', rug: 'pulled the rug on', medal: 'won', post: 'wrote about' } as const
const MEDALS = ['', 'gold', 'silver', 'bronze']

function FeedRow({ item }: { item: FeedItem }) {
  const now = useNow()
  const { kind, at, player, token, side, sol, medal, fairId, postId, parentId, text } = item
  const verb = kind === 'trade' ? (side === 'buy' ? 'bought' : 'sold') : VERBS[kind]
  return (
    <li className="py-s">
      <p className="row gap-s wrap semibold">
        <PlayerFace id={player.id} /> <PlayerLink {...player} /> {verb}{' '}
        {medal !== null && (
          <Link to="/fairs/{-$id}" params={{ id: String(fairId) }}>
            {MEDALS[medal]}
          </Link>
        )}
        {token !== null && (
          <Link
            to="/token/$id"
            params={{ id: String(token.id) }}
            hash={postId === null ? undefined : toPostHash({ id: postId, parentId })}
          >
            {token.emoji} {token.symbol}
          </Link>
        )}
        {sol !== null && <span className="small">{formatSol(sol, 2)} SOL</span>}
        <time className="small ml-auto regular" dateTime={at}>
          {relativeTime(at, now)}
        </time>
      </p>
      {text !== null && (
        <p className="mt-xs breaks" dir="auto">
          {text}
        </p>
      )}
    </li>
  )
}
