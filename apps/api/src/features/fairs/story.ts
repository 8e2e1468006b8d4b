import { setImmediate as giveWay } from 'node:timers/promises'
import { type Sol, solText } from '@papermoon/amm'
import type { FairStory } from '@papermoon/contract/fairs'
import type { FairResultsTable, FairsDatabase, FairsTable } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { CachedKind } from '../../cache/memory.ts'
import type { App } from '../../context.ts'
import { MAY_RANK } from '../../database/conditions.ts'
import { FairNotFoundError, FairNotOpenError, NotInFairError } from './errors.ts'
import { addEntry, allowedGift, type FairEntry, readAllEntries, toSol, toUnits } from './follow-trades.ts'
import { type Excess, FairLedger, type SettledFair } from './ledger.ts'
import { getFairsDb } from './ranking.ts'
import { PROVISIONAL_BELOW } from './rating.ts'
import { compareRanks, EXEMPT, toPlaces } from './results.ts'

const MOMENTS = 60

/** What happened in a fair, for all its players. */
export interface FairSummaries {
  readonly times: readonly string[]
  /** Each player's gain or loss with each token, including fees, in units of 0.000000001 SOL. */
  readonly profits: ReadonlyMap<UserId, ReadonlyMap<number, bigint>>
  /** Each player's ranks over time. The list begins at the time when the player enters. */
  readonly places: ReadonlyMap<UserId, readonly Rank[]>
  /** For each player whose score leaves SOL out, the player who lost most of it. */
  readonly limits: ReadonlyMap<UserId, UserId>
  /** Each token’s last sequence number at each time. */
  readonly seqs: readonly ReadonlyMap<number, number>[]
}

interface Rank {
  readonly place: number
  readonly score: Sol
  readonly hasTraded: boolean
}

/** The cache entry never expires, because nothing changes in a fair that has ended. */
const fairStories: CachedKind<FairSummaries> = {
  name: 'fair story',
  sizeKb: ({ places, seqs }) => 1 + places.size * 2 + seqs.length,
}

/**
 * Returns a summary of a fair for the caller. Throws `FairNotFoundError`, `NotInFairError`, and `FairNotOpenError`
 * before the fair's end.
 */
export async function getStory(app: App, userId: UserId, fairId: number): Promise<FairStory> {
  const db = getFairsDb(app)
  const { times, profits, places, limits } = await readSummaries(app, fairId)
  const result = await db
    .selectFrom('fair_results')
    .selectAll()
    .where('fair_id', '=', fairId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (result === undefined) throw new NotInFairError('You were not in this fair.')
  const won = [...(profits.get(userId) ?? [])].sort(([, a], [, b]) => (a < b ? 1 : -1))
  const ranks = (places.get(userId) ?? [])
    .map(({ place, hasTraded }, index, all) => ({ at: times.at(index - all.length) as string, place, hasTraded }))
    .filter(({ hasTraded }) => hasTraded)
    .map(({ at, place }) => ({ at, place }))
  return {
    best: await toStoryTrade(db, won[0], (profit) => profit > 0n),
    worst: await toStoryTrade(db, won.at(-1), (profit) => profit < 0n),
    trades: result.trades,
    ranks,
    rating: await findRatingChange(db, result),
    today: await findRankOfDay(db, result),
    leaguePoints: result.league_points || null,
    series: await findSeries(db, fairId),
    limitedBy: await findPlayer(db, limits.get(userId)),
  }
}

/** Max number of earlier rooms that count for a series. */
const SERIES_MAX = 50

/**
 * Counts how often each person in a room was the best person in the room and in the rooms before it. Each of them is a
 * rematch of the one before. Returns null for a fair that is no rematch.
 */
async function findSeries(db: Kysely<FairsDatabase>, fairId: number): Promise<FairStory['series']> {
  const { rows } = await sql<{ games: number; id: UserId; username: string; wins: number }>`
    with recursive series (id, before, game) as (
      select id, rematch_of, 1 from fairs where id = ${fairId}
      union all
      select f.id, f.rematch_of, game + 1 from series s join fairs f on f.id = s.before where game < ${SERIES_MAX}
    ), person as (
      select user_id, rank() over (partition by fair_id order by place) from fair_results
       where fair_id in (select id from series) and is_ranked and not is_bot
    )
    select (select count(*)::int from series) as games, u.id, u.username,
           (select count(*)::int from person where user_id = u.id and rank = 1) as wins
      from fair_results r join users u on u.id = r.user_id and ${MAY_RANK}
     where r.fair_id = ${fairId} and not r.is_bot
     order by wins desc, u.id`.execute(db)
  const [first] = rows
  if (first === undefined || first.games === 1) return null
  return { games: first.games, players: rows.map(({ games: _, ...player }) => player) }
}

async function findPlayer(db: Kysely<FairsDatabase>, id: UserId | undefined): Promise<FairStory['limitedBy']> {
  if (id === undefined) return null
  const { username } = await db.selectFrom('users').select('username').where('id', '=', id).executeTakeFirstOrThrow()
  return { id, username }
}

type Result = Selectable<FairResultsTable>

async function findRatingChange(db: Kysely<FairsDatabase>, result: Result): Promise<FairStory['rating']> {
  const { rating_before: before, rating_after: after, user_id } = result
  if (before === null || after === null) return null
  const row = await db.selectFrom('fair_ratings').select('fairs').where('user_id', '=', user_id).executeTakeFirst()
  return {
    before: Math.round(before),
    after: Math.round(after),
    isProvisional: (row?.fairs ?? 0) < PROVISIONAL_BELOW,
  }
}

/** Returns the rank of a gain among all gains in arenas of the same UTC day. */
async function findRankOfDay(db: Kysely<FairsDatabase>, result: Result): Promise<FairStory['today']> {
  if (!result.is_ranked || result.is_bot) return null
  const { rows } = await sql<{ place: number; of: number }>`
    with mine as (
      select date_trunc('day', settled_at at time zone 'UTC') at time zone 'UTC' as day,
             ${result.score}::numeric / stake as gain
        from fairs where id = ${result.fair_id} and kind = 'arena' and state = 'settled'
    ), best as (
      select r.user_id, max(r.score / f.stake) as gain
        from mine, fairs f join fair_results r on r.fair_id = f.id and r.is_ranked and not r.is_bot
          join users u on u.id = r.user_id and ${MAY_RANK}
       where f.kind = 'arena' and f.state = 'settled'
         and f.settled_at >= mine.day and f.settled_at < mine.day + interval '1 day'
       group by r.user_id
    )
    select 1 + (count(*) filter (where best.gain > mine.gain and user_id <> ${result.user_id}))::int as place,
           count(*)::int as of
      from mine, best group by mine.gain`.execute(db)
  return rows[0] ?? null
}

/** Throws `FairNotFoundError`, and `FairNotOpenError` before the fair's end. */
export async function readSummaries(app: App, fairId: number): Promise<FairSummaries> {
  const db = getFairsDb(app)
  const fair = await db.selectFrom('fairs').select('settled_at').where('id', '=', fairId).executeTakeFirst()
  if (fair === undefined) throw new FairNotFoundError()
  if (fair.settled_at === null) throw new FairNotOpenError('You can read the story of this fair when it has ended.')
  const sharing = { freshMs: Number.POSITIVE_INFINITY }
  return await app.market.memory.share(fairStories, fairId, sharing, () => computeSummaries(db, fairId))
}

async function toStoryTrade(
  db: Kysely<FairsDatabase>,
  token: readonly [number, bigint] | undefined,
  isShown: (profit: bigint) => boolean,
): Promise<FairStory['best']> {
  if (token === undefined || !isShown(token[1])) return null
  const { id, symbol, emoji } = await db
    .selectFrom('tokens')
    .select(['id', 'symbol', 'emoji'])
    .where('id', '=', token[0])
    .executeTakeFirstOrThrow()
  return { token: { id: id as TokenId, symbol, emoji }, profit: solText(toSol(token[1])) }
}

interface Entrant {
  readonly user_id: number
  readonly entered_at: Date
  readonly is_ranked: boolean | null
}

/**
 * Replays a fair and computes all players' ranks at each time. As in the results, players who were not ranked in the
 * end are below all ranked players.
 */
async function computeSummaries(db: Kysely<FairsDatabase>, fairId: number): Promise<FairSummaries> {
  const fair = await db
    .selectFrom('fairs as f')
    .selectAll()
    .select(EXEMPT.as('exempt'))
    .where('id', '=', fairId)
    .executeTakeFirstOrThrow()
  const entrants = await db
    .selectFrom('accounts as a')
    .leftJoin('fair_results as r', (join) =>
      join.onRef('r.fair_id', '=', 'a.fair_id').onRef('r.user_id', '=', 'a.user_id'),
    )
    .select(['a.user_id', 'a.entered_at', 'r.is_ranked'])
    .where('a.fair_id', '=', fairId)
    .execute()
  const launches = await db.selectFrom('tokens').selectAll().where('fair_id', '=', fairId).execute()
  // Sorting by time keeps a token's entries in order, because their times never decrease.
  const entries = (await readAllEntries(db, fairId)).sort((a, b) => a.at.getTime() - b.at.getTime() || a.seq - b.seq)
  const [fromMs, untilMs] = [fair.starts_at.getTime(), (fair.bell_at ?? fair.ends_at ?? fair.starts_at).getTime()]
  const replay = new Replay(fair)
  const places = new Map<UserId, Rank[]>()
  const times: string[] = []
  const seqs: Map<number, number>[] = []
  const last = new Map<number, number>()
  let next = 0
  for (let moment = 1; moment <= MOMENTS; moment++) {
    const atMs = moment === MOMENTS ? untilMs : Math.floor(fromMs + ((untilMs - fromMs) * moment) / MOMENTS)
    for (; next < entries.length; next++) {
      const entry = entries[next] as FairEntry
      if (entry.at.getTime() > atMs && moment < MOMENTS) break
      replay.add(entry)
      last.set(entry.tokenId, entry.seq)
    }
    times.push(new Date(atMs).toISOString())
    seqs.push(new Map(last))
    const isBy = (time: Date) => time.getTime() <= atMs || moment === MOMENTS
    const fees = launches.filter((token) => isBy(token.created_at))
    const scores = replay.scoreAll(
      entrants.filter(({ entered_at }) => isBy(entered_at)),
      fees,
    )
    const ranked = toPlaces(scores)
    for (const [index, { userId, score }] of scores.entries()) {
      const ranks = places.get(userId) ?? []
      ranks.push({ place: ranked[index] as number, score, hasTraded: replay.hasTraded(userId) })
      places.set(userId, ranks)
    }
    await giveWay()
  }
  return { times, profits: replay.profits(), places, limits: replay.limits(), seqs }
}

interface Rules extends Pick<Selectable<FairsTable>, 'stake' | 'everyone_ranks'> {
  readonly exempt: readonly number[]
}

class Replay {
  readonly #stake: string
  /**
   * Max amount that counts as a gain from one other player. Null if everyone is ranked, because all gains count in such
   * a fair.
   */
  readonly #allowance: bigint | null
  /** Players whose losses all count. */
  readonly #exempt: readonly number[]
  readonly #ledger = new FairLedger()
  /** Trading fees that each player paid for each token. */
  readonly #fees = new Map<number, Map<number, bigint>>()

  constructor({ stake, everyone_ranks: everyoneRanks, exempt }: Rules) {
    this.#stake = stake
    this.#allowance = everyoneRanks ? null : allowedGift(stake)
    this.#exempt = exempt
  }

  add(entry: FairEntry): void {
    addEntry(this.#ledger, entry)
    const fees = this.#fees.get(entry.userId) ?? new Map<number, bigint>()
    fees.set(entry.tokenId, (fees.get(entry.tokenId) ?? 0n) + entry.fee)
    this.#fees.set(entry.userId, fees)
  }

  hasTraded(userId: number): boolean {
    return this.#fees.has(userId)
  }

  /** Sorts players by rank, the best first. */
  scoreAll(
    entrants: readonly Entrant[],
    launches: readonly { readonly creator_id: number; readonly launch_fee: string }[],
  ): { readonly userId: UserId; readonly isRanked: boolean; readonly score: Sol }[] {
    const settled = this.#ledger.settle()
    const excess = this.#findExcess(settled)
    const scores = new Map<number, bigint>()
    for (const { user_id } of entrants) {
      const fees = [...(this.#fees.get(user_id)?.values() ?? [])].reduce((sum, fee) => sum + fee, 0n)
      scores.set(user_id, settled.wonBy(user_id) - fees - (excess.get(user_id)?.sol ?? 0n))
    }
    for (const { creator_id, launch_fee } of launches) {
      scores.set(creator_id, (scores.get(creator_id) ?? 0n) - toUnits(launch_fee))
    }
    return entrants
      .map(({ user_id: id, is_ranked: isRanked }) => {
        const score = toSol(scores.get(id) ?? 0n).add(this.#stake)
        return { userId: id as UserId, isRanked: isRanked === true, score }
      })
      .sort(compareRanks)
  }

  #findExcess(settled: SettledFair): Map<number, Excess> {
    return this.#allowance === null ? new Map() : settled.findExcess(this.#allowance, this.#exempt)
  }

  limits(): Map<UserId, UserId> {
    const excess = this.#findExcess(this.#ledger.settle())
    return new Map([...excess].map(([userId, { from }]) => [userId as UserId, from as UserId]))
  }

  profits(): Map<UserId, Map<number, bigint>> {
    const settled = this.#ledger.settle()
    return new Map(
      [...this.#fees].map(([userId, fees]) => [
        userId as UserId,
        new Map([...fees].map(([tokenId, fee]) => [tokenId, settled.wonWith(userId, tokenId) - fee])),
      ]),
    )
  }
}
