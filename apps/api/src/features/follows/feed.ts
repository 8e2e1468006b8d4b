import { FEED_TRADE_MIN, type FeedInput, type FeedItem } from '@papermoon/contract/follows'
import type { UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import type { App, Context } from '../../context.ts'
import { IS_BOT, MAY_RANK, visibleTokens } from '../../database/conditions.ts'
import { journalQueue } from '../../database/journal-queue.ts'
import { isNotBlocked } from '../talk/public.ts'
import { countFollowed } from './follow.ts'

/** Number of days that the feed covers. Older trades are listed in the players' profiles. */
const DAYS = 30
/** Max number of rows that are read per followed player or token, because a bot may trade all the time. */
const EACH_MAX = 50

/** Number of followed players and tokens that count as one read in the rate limit. */
const FOLLOWED_PER_READ = 5

/**
 * Reads what followed players did and what happened to followed tokens, newest first. The feed reads only from the
 * fairground, so that nothing from a room appears in it. With a longer list, a call counts as more reads in the rate
 * limit, because each followed player or token is looked up.
 */
export async function readFeed(ctx: Context, userId: UserId, input: FeedInput): Promise<FeedItem[]> {
  const { app, ip } = ctx
  const followed = await countFollowed(app.platform.db, userId)
  const reads = Math.floor(followed / FOLLOWED_PER_READ)
  if (reads > 0) await app.accounts.limits.spend(ctx, 'read', reads)
  return await journalQueue(ip, () => readItems(app, userId, input))
}

async function readItems(app: App, userId: UserId, { before, limit }: FeedInput): Promise<FeedItem[]> {
  const now = app.platform.clock.now()
  const end = before === undefined ? now : new Date(before)
  const since = new Date(now.getTime() - DAYS * 24 * 3_600_000)
  const within = (at: string) => sql`${sql.ref(at)} < ${end} and ${sql.ref(at)} > ${since}`
  // Both sort orders use an index, so an inactive token needs no scan.
  const trades = (column: 'user_id' | 'token_id', kind: 'player' | 'token', order: 'created_at' | 'seq') =>
    eachFollowed(
      kind,
      sql`select 'trade' as kind, x.created_at as at, x.user_id, x.token_id, x.side, x.sol_amount as sol, null::int as fair_id,
             null::int as medal, null::int as post_id, null::text as text
        from (select * from trades y where y.${sql.ref(column)} = f.target_id and y.created_at < ${end}
          order by ${sql.ref(order)} desc limit ${EACH_MAX}) x
       where x.created_at > ${since} and x.sol_amount >= ${FEED_TRADE_MIN}`,
    )
  const rest = sql`null::text, null::numeric, null::int, null::int, null::int, null::text`
  const posts = (kind: 'player' | 'token') =>
    eachFollowed(
      kind,
      sql`select 'post', p.created_at, p.user_id, p.topic, null::text, null::numeric, null::int, null::int, p.id, p.text
        from posts p where ${kind === 'player' ? sql`p.user_id` : sql`p.parent_id is null and p.topic`} = f.target_id
         and p.state = 'shown' and ${within('p.created_at')} and ${isNotBlocked(userId)}
       order by p.created_at desc limit ${EACH_MAX}`,
    )
  const sources = [
    trades('user_id', 'player', 'created_at'),
    trades('token_id', 'token', 'seq'),
    eachFollowed(
      'player',
      sql`select 'launch', created_at, creator_id, id, ${rest} from tokens
        where creator_id = f.target_id and ${within('created_at')} order by id desc limit ${EACH_MAX}`,
    ),
    eachFollowed(
      'player',
      sql`select 'rug', created_at, user_id, token_id, null::text, amount, null::int, null::int, null::int, null::text
        from rugs where user_id = f.target_id and ${within('created_at')} limit ${EACH_MAX}`,
    ),
    eachFollowed(
      'token',
      sql`select 'rug', created_at, user_id, token_id, null::text, amount, null::int, null::int, null::int, null::text
        from rugs where token_id = f.target_id and ${within('created_at')}`,
    ),
    eachFollowed(
      'player',
      sql`select 'medal', a.settled_at, r.user_id, null::int, null::text, null::numeric, r.fair_id, r.medal::int,
             null::int, null::text
        from fair_results r join fairs a on a.id = r.fair_id join users u on u.id = r.user_id and ${MAY_RANK}
       where r.user_id = f.target_id and r.medal is not null and not r.is_paper and a.kind not in ('room', 'sandbox')
         and ${within('a.settled_at')} order by r.fair_id desc limit ${EACH_MAX}`,
    ),
    posts('player'),
    posts('token'),
  ]
  const { rows } = await sql<Omit<FeedItem, 'at'> & { readonly at: Date }>`
    select distinct on (e.at, e.kind, e.user_id, e.token_id, e.post_id, e.sol) e.kind, e.at, e.side,
           trim_scale(e.sol)::text as sol, e.fair_id as "fairId", e.medal, e.post_id as "postId",
           said.parent_id as "parentId", e.text,
           json_build_object('id', u.id, 'username', u.username, 'isBot', ${IS_BOT}) as player,
           case when t.id is not null
             then json_build_object('id', t.id, 'name', t.name, 'symbol', t.symbol, 'emoji', t.emoji) end as token
      from (${sql.join(sources, sql` union all `)}) e join users u on u.id = e.user_id
      left join ${visibleTokens} t on t.id = e.token_id left join posts said on said.id = e.post_id
     where e.token_id is null or t.id is not null
     order by e.at desc, e.kind, e.user_id, e.token_id, e.post_id, e.sol limit ${limit}`.execute(app.platform.db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))

  function eachFollowed(kind: 'player' | 'token', source: RawBuilder<unknown>) {
    return sql`(select s.* from follows f cross join lateral (${source}) s
      where f.user_id = ${userId} and f.kind = ${kind})`
  }
}
