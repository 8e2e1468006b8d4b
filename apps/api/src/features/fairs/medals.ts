import type { FairsDatabase } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { sharesBrowser } from '../../database/shared-browsers.ts'
import type { StandingRow } from './standings.ts'

/** Min number of rivals for medals. */
const RIVALS_MIN = 4
const MEDALS = [1, 2, 3] as const
type Entrant = Pick<StandingRow, 'userId' | 'isRanked' | 'isBot'>

export interface Medal {
  readonly rank: (typeof MEDALS)[number]
  /** Whether bots filled the seats of people. */
  readonly isPaper: boolean
}

/**
 * Awards the medals of a fair. `entrants` are ordered by rank. If at least four ranked people entered in the first
 * third of the fair, the best three get medals. Of accounts that share a browser, only the oldest counts. If an arena
 * has fewer people, ranked bots fill the seats, and people among the best three get medals of paper.
 */
export async function awardMedals(
  db: Kysely<FairsDatabase>,
  { id, kind }: { readonly id: number; readonly kind: string },
  entrants: readonly Entrant[],
): Promise<Map<UserId, Medal>> {
  const inTime = await findRivals(db, id)
  const seated = entrants.filter(({ userId, isRanked, isBot }) => isRanked && (isBot || inTime.has(userId)))
  const people = seated.filter(({ isBot }) => !isBot)
  const isPaper = people.length < RIVALS_MIN && kind === 'arena'
  const rivals = isPaper ? seated : people
  if (rivals.length < RIVALS_MIN) return new Map()
  const best = MEDALS.map((rank, index) => ({ ...(rivals[index] as Entrant), rank }))
  return new Map(best.filter(({ isBot }) => !isBot).map(({ userId, rank }) => [userId, { rank, isPaper }]))
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
