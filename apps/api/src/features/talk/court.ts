import { contract } from '@papermoon/contract'
import { COURT_MS, type Court, TESTIMONY_MAX, type Verdict, VOTE_MAX_SOL } from '@papermoon/contract/talk'
import { type Db, formatNumeric, type Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { IS_BOT, sharesBrowser, verdicts } from '../../database/conditions.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { implement } from '../../trpc.ts'
import { NoCourtError, PostRefusedError, TalkClosedError } from './errors.ts'
import { openTopic, type Topic } from './open-topic.ts'

/** A player's part in a rugged token's court, computed from trades. */
interface PartyRow {
  readonly rugged_at: Date
  readonly created_at: Date
  readonly is_bot: boolean
  readonly is_creator: boolean
  readonly shares_browser: boolean
  /**
   * What the tokens cost in SOL that the player still held. The cost is null for the creator and for players without
   * tokens.
   */
  readonly lost: string | null
  readonly vote: Verdict | null
}

export const getCourt = implement(contract.talk.court, ({ ctx, input }) => readCourt(ctx.app, ctx.userId, input.id))

/** Returns the court of a rugged token. Throws `TokenNotFoundError` and `NoCourtError`. */
async function readCourt(app: App, userId: UserId | null, tokenId: TokenId): Promise<Court> {
  const { app: market } = await openTopic(app, userId, { tokenId })
  const { db } = market.platform
  const { rows } = await sql<{
    ends_at: Date
    voters: number
    fair_game: string
    scoundrel: string
    verdict: Verdict | null
  }>`
    select r.created_at + ${sql.lit(COURT_MS)} * interval '1 millisecond' as ends_at, count(u.id)::int as voters,
           coalesce(sum(v.weight) filter (where u.id is not null and v.verdict = 'fair game'), 0) as fair_game,
           coalesce(sum(v.weight) filter (where u.id is not null and v.verdict = 'scoundrel'), 0) as scoundrel,
           (select verdict from ${verdicts} f where f.token_id = r.token_id) as verdict
      from rugs r left join court_votes v on v.token_id = r.token_id
      left join users u on u.id = v.user_id and u.standing = 'active'
     where r.token_id = ${tokenId} group by r.token_id, r.created_at`.execute(db)
  const [row] = rows
  if (row === undefined) throw new NoCourtError()
  const now = app.platform.clock.now()
  const isOver = row.ends_at <= now
  const party = userId === null ? undefined : await findParty(db, tokenId, userId)
  return {
    endsAt: row.ends_at.toISOString(),
    voters: row.voters,
    fairGame: formatNumeric(row.fair_game),
    scoundrel: formatNumeric(row.scoundrel),
    verdict: isOver ? row.verdict : null,
    lost: party === undefined || party.lost === null ? null : formatNumeric(party.lost),
    canVote: party !== undefined && !isOver && findRefusal(party, now) === null,
    vote: party?.vote ?? null,
  }
}

/** Casts or changes a vote. Throws `TalkClosedError`, `PostRefusedError` and the errors of `getCourt`. */
export const vote = implement(contract.talk.vote, async ({ ctx: { app, userId }, input: { id, verdict } }) => {
  const { app: market } = await openTopic(app, userId, { tokenId: id })
  const { db } = market.platform
  const party = await findParty(db, id, userId)
  if (party === undefined) throw new NoCourtError()
  const now = app.platform.clock.now()
  if (isOver(party.rugged_at, now)) throw new TalkClosedError()
  const refusal = findRefusal(party, now)
  if (refusal !== null) throw new PostRefusedError(refusal)
  await sql`
    insert into court_votes (token_id, user_id, verdict, weight, created_at)
    values (${id}, ${userId}, ${verdict}, least(${party.lost}::numeric, ${VOTE_MAX_SOL}), ${now})
    on conflict (token_id, user_id) do update set verdict = excluded.verdict, created_at = excluded.created_at`.execute(
    db,
  )
  return await readCourt(app, userId, id)
})

/** Returns why a player cannot vote. Returns null if the player can. */
function findRefusal(party: PartyRow, now: Date): string | null {
  if (party.is_bot) return 'Bots cannot vote.'
  if (party.lost === null) return 'Only players who lost SOL in this token can vote.'
  if (now.getTime() - party.created_at.getTime() < DAY_MS) return 'Only accounts older than a day can vote.'
  return party.shares_browser ? 'Accounts that share a browser with the creator cannot vote.' : null
}

function isOver(ruggedAt: Date, now: Date): boolean {
  return now.getTime() - ruggedAt.getTime() >= COURT_MS
}

async function findParty(db: Db, tokenId: TokenId, userId: UserId): Promise<PartyRow | undefined> {
  const { rows } = await sql<PartyRow>`
    select r.created_at as rugged_at, u.created_at, ${IS_BOT} as is_bot, u.id = r.user_id as is_creator,
           ${sharesBrowser(sql`u.id`, sql`r.user_id`)} as shares_browser, h.cost as lost, v.verdict as vote
      from rugs r cross join users u
      left join holdings h on h.token_id = r.token_id and h.user_id = u.id and h.user_id <> r.user_id
            and h.amount > 0 and h.cost > 0
      left join court_votes v on v.token_id = r.token_id and v.user_id = u.id
     where r.token_id = ${tokenId} and u.id = ${userId}`.execute(db)
  return rows[0]
}

interface Testimony {
  readonly topic: Topic
  readonly userId: UserId
  readonly text: string
  readonly parentId?: number | undefined
  readonly now: Date
}

/**
 * Returns the SOL that the writer of a statement lost; null for the creator's answer. Each player may write one
 * statement. Locks the writer's row. Throws `TalkClosedError` and `PostRefusedError`.
 */
export async function takeTestimony(tx: Tx, { topic, userId, text, parentId, now }: Testimony): Promise<string | null> {
  const party = await findParty(tx, topic.id as TokenId, userId)
  if (party === undefined || parentId !== undefined) throw new TalkClosedError()
  assertTestimony({ text, now, ruggedAt: party.rugged_at, writtenAt: now })
  if (party.is_bot) throw new PostRefusedError('Bots cannot post a statement.')
  if (party.lost === null && !party.is_creator) {
    throw new PostRefusedError('Only players who lost SOL in this token, and its creator, can post here.')
  }
  const before = await tx
    .selectFrom('posts')
    .select('id')
    .where('user_id', '=', userId)
    .where('topic', '=', topic.id)
    .where('created_at', '>=', party.rugged_at)
    .executeTakeFirst()
  if (before !== undefined) throw new PostRefusedError('You have already posted here. Everyone posts once.')
  return party.lost
}

interface Words {
  readonly text: string
  readonly now: Date
  readonly ruggedAt: Date
  readonly writtenAt: Date
}

/**
 * Throws `TalkClosedError` after the first hour and for older posts, and `PostRefusedError` if the text is too long.
 */
export function assertTestimony({ text, now, ruggedAt, writtenAt }: Words): void {
  if (isOver(ruggedAt, now) || writtenAt < ruggedAt) throw new TalkClosedError()
  if ([...text].length > TESTIMONY_MAX) {
    throw new PostRefusedError(`A statement has at most ${TESTIMONY_MAX} characters.`)
  }
}
