import type { FairsDatabase } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { sharesBrowser } from '../../database/shared-browsers.ts'
import type { StandingRow } from './standings.ts'

/** Min number of rivals for medals. */
const RIVALS_MIN = 4
const MEDALS = [1, 2, 3] as const
const LEAGUE_POINTS_MAX = 10
type Entrant = Pick<StandingRow, 'userId' | 'isRanked' | 'isBot'>

export interface Medal {
  readonly rank: (typeof MEDALS)[number]
  /** Whether bots filled the seats of people. */
  readonly isPaper: boolean
}

/**
 * Finds the ranked entrants who are rivals, best first: bots, and people who entered in the first third of the fair.
 * Among accounts that share a browser, only the oldest is a rival. `entrants` are in the order of their places.
 */
export async function findSeated(
  db: Kysely<FairsDatabase>,
  fairId: number,
  entrants: readonly Entrant[],
): Promise<Entrant[]> {
  const inTime = await findRivals(db, fairId)
  return entrants.filter(({ userId, isRanked, isBot }) => isRanked && (isBot || inTime.has(userId)))
}

/**
 * The medals of a fair with these rivals. The best three people get one if there are at least four. With fewer people
 * in an arena, bots fill the seats, and people among the best three get medals of paper.
 */
export function awardMedals(kind: string, seated: readonly Entrant[]): Map<UserId, Medal> {
  const people = seated.filter(({ isBot }) => !isBot)
  const isPaper = people.length < RIVALS_MIN && kind === 'arena'
  const rivals = isPaper ? seated : people
  if (rivals.length < RIVALS_MIN) return new Map()
  const best = MEDALS.map((rank, index) => ({ ...(rivals[index] as Entrant), rank }))
  return new Map(best.filter(({ isBot }) => !isBot).map(({ userId, rank }) => [userId, { rank, isPaper }]))
}

/** League points of an arena with these rivals: 10 for the first, 0 for the last, between them by the rivals beaten. */
export function toLeaguePoints(seated: readonly Entrant[]): Map<UserId, number> {
  if (seated.length < RIVALS_MIN) return new Map()
  const others = seated.length - 1
  return new Map(
    seated.map(({ userId }, index) => [userId, Math.ceil((LEAGUE_POINTS_MAX * (others - index)) / others)]),
  )
}

/** Finds the players who entered in time, without those who share a browser with an older account in the fair. */
async function findRivals(db: Kysely<FairsDatabase>, fairId: number): Promise<Set<UserId>> {
  const { rows } = await sql<{ id: UserId }>`
    select a.user_id as id from fairs f join accounts a on a.fair_id = f.id
     where f.id = ${fairId} and a.entered_at < f.starts_at + (f.ends_at - f.starts_at) / 3
       and not exists (select from accounts o where o.fair_id = f.id and o.user_id < a.user_id
         and ${sharesBrowser(sql`a.user_id`, sql`o.user_id`)})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
