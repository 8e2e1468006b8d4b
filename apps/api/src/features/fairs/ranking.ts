import type { Fair, FairEntrant, FairRanking, rankingInput } from '@papermoon/contract/fairs'
import { type FairsDatabase, formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { CachedKind } from '../../cache/memory.ts'
import type { App } from '../../context.ts'
import { MAY_RANK } from '../../database/conditions.ts'
import { computeResults, createLedgers, type Standings, sumResults } from './results.ts'

/** The live or final ranking at a certain time. */
export interface KnownRanking {
  readonly asOf: Date
  readonly isFinal: boolean
  readonly entrants: readonly FairEntrant[]
  readonly sum: FairRanking['sum']
  /**
   * Returns the amount that the caller must trade to be ranked. Returns null if everyone is ranked, if the fair has
   * ended, or if the caller has not entered.
   */
  readonly qualifying: (userId: UserId | null) => FairRanking['qualifying']
  /** Returns the player who lost most of the SOL that the caller's score leaves out. Null after the fair's end. */
  readonly limitedBy: (userId: UserId | null) => FairRanking['limitedBy']
  /** The ranking as JSON, without its time. With this text, two rankings can be compared cheaply. */
  readonly text: string
}

/** Min time in ms between two computations of a ranking. All callers share the result. */
const FRESH_MS = 900

/** A ranking is cached for this multiple of the duration of its computation, so that no fair uses up the process. */
const REST_FACTOR = 3

const rankings: CachedKind<KnownRanking> = { name: 'fair ranking', sizeKb: ({ text }) => 1 + text.length / 256 }

/** Returns the database connection whose tables belong to the fairs' market. */
export function getFairsDb({ market, platform }: Pick<App, 'market' | 'platform'>): Kysely<FairsDatabase> {
  const { db } = market.fairs?.platform ?? platform
  return db as unknown as Kysely<FairsDatabase>
}

/** Returns a fair's ranking, which is at most a second old. After the fair's end, returns its results. */
export function readRanking(app: App, fair: Pick<Fair, 'id' | 'state'>): Promise<KnownRanking> {
  const { id: fairId, state } = fair
  // Rankings from before the end have another cache key, so that none of them is returned after the end.
  const key = state === 'settled' || state === 'void' ? `${fairId} over` : fairId
  const sharing = { freshMs: FRESH_MS, restFactor: REST_FACTOR }
  return app.market.memory.share(rankings, key, sharing, () => computeRanking(app, fairId))
}

async function computeRanking(app: App, fairId: number): Promise<KnownRanking> {
  const db = getFairsDb(app)
  const asOf = app.platform.clock.now()
  const results = await findResults(db, fairId)
  const shown =
    results.length > 0
      ? {
          isFinal: true,
          entrants: results,
          sum: await sumResults(db, fairId, results),
          qualifying: () => null,
          limitedBy: () => null,
        }
      : toLive(await computeResults(db, fairId, app.market.memory.state(createLedgers)))
  return { asOf, ...shown, text: JSON.stringify(shown) }
}

/** Converts computed results to a live ranking. */
export function toLive({ entrants, sum, qualifying }: Standings): Omit<KnownRanking, 'asOf' | 'text'> {
  return {
    isFinal: false,
    entrants: entrants.map(toEntrant),
    sum,
    qualifying: (userId) => {
      const own = entrants.find((entrant) => entrant.userId === userId)
      if (qualifying === null || own === undefined) return null
      return {
        traded: formatNumeric(own.qualifying),
        needed: formatNumeric(qualifying.needed),
        until: qualifying.until.toISOString(),
      }
    },
    limitedBy: (userId) => {
      const own = entrants.find((entrant) => entrant.userId === userId)
      const loser = entrants.find((entrant) => entrant.userId === own?.limitedBy)
      return loser === undefined ? null : { id: loser.userId, username: loser.username }
    },
  }
}

function toEntrant(row: Standings['entrants'][number]): FairEntrant {
  return {
    place: row.place,
    medal: null,
    isPaper: false,
    userId: row.userId,
    username: row.username,
    isBot: row.isBot,
    standing: formatNumeric(row.standing),
    score: formatNumeric(row.score),
    isRanked: row.isRanked,
    hasLeft: row.hasLeft,
    trades: row.trades,
  }
}

/** Returns a page of a ranking, with the caller's own rank. */
export async function getRanking(
  app: App,
  userId: UserId | null,
  fair: Fair,
  { cursor, limit }: z.output<typeof rankingInput>,
): Promise<FairRanking> {
  return toPage(await readRanking(app, fair), { fairId: fair.id, userId, from: Number(cursor ?? 0), limit })
}

interface PageOptions {
  readonly fairId: number
  readonly userId: UserId | null
  readonly from: number
  readonly limit: number
}

export function toPage(known: KnownRanking, { fairId, userId, from, limit }: PageOptions): FairRanking {
  const { entrants, asOf, isFinal, sum } = known
  return {
    fairId,
    isFinal,
    sum,
    asOf: asOf.toISOString(),
    entrants: entrants.slice(from, from + limit),
    mine: entrants.find((entrant) => entrant.userId === userId) ?? null,
    qualifying: known.qualifying(userId),
    limitedBy: known.limitedBy(userId),
    total: entrants.length,
    ranked: entrants.filter(({ isRanked }) => isRanked).length,
    nextCursor: from + limit < entrants.length ? String(from + limit) : null,
  }
}

/** Returns the results of a fair, the best one first. Returns an empty list while the fair is running. */
export async function findResults(db: Kysely<FairsDatabase>, fairId: number): Promise<FairEntrant[]> {
  const rows = await db
    .selectFrom('fair_results as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .selectAll('r')
    .select(['u.username', sql<number | null>`case when ${MAY_RANK} then r.medal end`.as('shown_medal')])
    .where('r.fair_id', '=', fairId)
    .orderBy('r.place')
    .orderBy('r.user_id')
    .execute()
  return rows.map((row) => ({
    place: row.place,
    userId: row.user_id as UserId,
    username: row.username,
    isBot: row.is_bot,
    standing: formatNumeric(row.standing),
    score: formatNumeric(row.score),
    isRanked: row.is_ranked,
    hasLeft: row.has_left,
    trades: row.trades,
    medal: row.shown_medal,
    isPaper: row.is_paper,
  }))
}
