import { type Post, type PostEvent, type PostId, REACTIONS } from '@papermoon/contract/posts'
import { type Db, formatNumeric, type PostsTable } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { IS_BOT, MAY_RANK } from '../../database/conditions.ts'
import { isNamed, type JournalRange, type PlacedEvent } from '../../events/journal.ts'

/** A row of `posts` with its writer's holding and medals. One statement reads a page of posts. */
export type PostRow = Selectable<PostsTable> & {
  readonly username: string
  readonly is_bot: boolean
  readonly is_creator: boolean | null
  readonly held: string | null
  readonly supply: string | null
  readonly medals: readonly [number, number, number]
  readonly named: Post['mentions'] | null
  readonly mine: number | null
}

interface PostsWanted {
  /** SQL condition that selects posts `p`. */
  readonly where: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  readonly limit: number
  /** The player whose own reactions are marked in the posts. The player is null for guests and for shared responses. */
  readonly viewer?: UserId | null
}

/** Reads posts from the market of `db`. Reads writers' holdings only for the posts on the page. */
export async function readPosts(db: Db, { where, order, limit, viewer = null }: PostsWanted): Promise<PostRow[]> {
  const { rows } = await sql<PostRow>`
    with p as materialized (select p.* from posts p where ${where} order by ${order} limit ${limit})
    select p.*, u.username, ${IS_BOT} as is_bot, t.creator_id = p.user_id as is_creator, t.supply, h.amount as held,
           m.medals, r.kind as mine,
           (select json_agg(json_build_object('id', n.id, 'username', n.username)) from users n
             where n.id = any(p.mentions)) as named
      from p join users u on u.id = p.user_id
      left join tokens t on t.id = p.topic
      left join holdings h on h.token_id = p.topic and h.user_id = p.user_id
      left join post_reactions r on r.post_id = p.id and r.user_id = ${viewer}::int
      cross join lateral (
        select array[count(*) filter (where medal = 1), count(*) filter (where medal = 2),
            count(*) filter (where medal = 3)]::int[] as medals
          from fair_results f join fairs on fairs.id = f.fair_id
         where f.user_id = p.user_id and ${MAY_RANK} and f.medal is not null and not f.is_paper
           and fairs.kind not in ('room', 'sandbox')
      ) m
     order by ${order}`.execute(db)
  return rows
}

export async function findPost(db: Db, id: number, viewer: UserId | null = null): Promise<PostRow | null> {
  const [row] = await readPosts(db, { where: sql`p.id = ${id}`, order: sql`id`, limit: 1, viewer })
  return row ?? null
}

/** Converts a post to the form for a player. Only the writer sees the text of a post that is not shown. */
export function toPost(row: PostRow, viewer: UserId | null = null): Post {
  const isShown = row.state === 'shown' || (row.user_id === viewer && row.state !== 'deleted')
  const [gold, silver, bronze] = row.medals
  return {
    id: row.id as PostId,
    tokenId: row.topic > 0 ? (row.topic as TokenId) : null,
    fairId: row.topic > 0 ? null : -row.topic,
    parentId: row.parent_id as PostId | null,
    writer: {
      id: row.user_id as UserId,
      username: row.username,
      isBot: row.is_bot,
      isCreator: row.is_creator === true,
      share: toShare(row),
      medals: { gold, silver, bronze },
    },
    text: isShown ? row.text : '',
    mentions: isShown ? (row.named ?? []) : [],
    price: row.price === null ? null : formatNumeric(row.price),
    seq: row.seq,
    state: row.state,
    replies: row.replies,
    reactions: Object.fromEntries(
      REACTIONS.flatMap((kind, index) => {
        const count = row.reactions[index] ?? 0
        return count > 0 ? [[kind, count]] : []
      }),
    ),
    reaction: row.mine === null ? null : (REACTIONS[row.mine] ?? null),
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    ...(row.lost !== null && { lost: formatNumeric(row.lost) }),
  }
}

/**
 * Returns the holding as a percentage of the supply. The percentage is truncated to two decimals, so that nobody seems
 * to hold more than they do. Returns `0` for a writer who sold everything.
 */
function toShare({ held, supply }: Pick<PostRow, 'held' | 'supply'>): string | null {
  if (held === null || supply === null) return null
  // Compute with integers in the smallest unit, because both numbers have six decimals.
  const hundredths = (toUnits(held) * 10_000n) / toUnits(supply)
  return formatNumeric(`${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`)
}

function toUnits(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.')
  return BigInt(whole + decimals.padEnd(6, '0').slice(0, 6))
}

export type PlacedPost = PlacedEvent<PostEvent>

/** Returns a post's latest event, or null if it was never shown. */
export function toPlacedPost(row: PostRow): PlacedPost | null {
  if (row.position === null) return null
  if (row.changed_position === null) return { place: row.position, event: toPostEvent(row, 'shown') }
  return { place: row.changed_position, event: toPostEvent(row, 'changed') }
}

function toPostEvent(row: PostRow, kind: PostEvent['kind']): PostEvent {
  const post = toPost(row)
  const at = kind === 'shown' ? row.created_at : (row.edited_at ?? row.created_at)
  // Freeze the event, because all subscribers share it.
  return Object.freeze({ type: 'post', tokenId: row.topic as TokenId, kind, post, createdAt: at.toISOString() })
}

/**
 * Reads the events of posts in a range, in order. Each event contains the post in its current state. A lobby's id is
 * the negative id of its fair. If `tokens` is absent, posts in lobbies are included. If `tokens` is null, posts about
 * all tokens are included, but not those in lobbies. `only` may refer to the post `p`.
 */
export async function readPostEvents(
  db: Db,
  { after, through = Number.MAX_SAFE_INTEGER, limit = null, only = sql<SqlBool>`true`, ...wanted }: JournalRange,
): Promise<PlacedPost[]> {
  const isWanted = sql`${isAbout(wanted)} and ${only}`
  const { rows: places } = await sql<{ id: number; place: number; kind: PostEvent['kind'] }>`
    (select id, position as place, 'shown' as kind from posts p
      where position > ${after} and position <= ${through} and ${isWanted} order by position limit ${limit})
    union all
    (select id, changed_position, 'changed' from posts p
      where changed_position > ${after} and changed_position <= ${through} and ${isWanted}
      order by changed_position limit ${limit})
    order by place limit ${limit}`.execute(db)
  if (places.length === 0) return []
  const ids = [...new Set(places.map(({ id }) => id))]
  const rows = await readPosts(db, { where: sql`p.id = any(${ids}::int[])`, order: sql`id`, limit: ids.length })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return places.flatMap(({ id, place, kind }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ place, event: toPostEvent(row, kind) }]
  })
}

function isAbout({ tokens, fairs }: Pick<JournalRange, 'tokens' | 'fairs'>): RawBuilder<SqlBool> {
  if (tokens === undefined) return sql<SqlBool>`true`
  return sql<SqlBool>`${tokens === null ? sql`topic > 0` : sql`true`} and ${isNamed('topic', { tokens, fairs })}`
}
