import { hash } from 'node:crypto'
import { LEAGUE_POINTS } from '@papermoon/contract/fair-tokens'
import { TAPE_MS } from '@papermoon/contract/tape'
import type { Db } from '@papermoon/db'
import { type RawBuilder, sql } from 'kysely'
import { MAY_RANK } from '../../../database/conditions.ts'

export const DIVISIONS = 5
/** Max number of members in a group. */
export const GROUP_MAX = 20
/** Number of members per group who rise, and number of members who fall. */
export const MOVES = 5
/** Max number of arena results per day and player that count for the league. */
const BEST_A_DAY = 5
const WEEK_DAYS = 7
const DAY_MS = 24 * 3_600_000
/** The first Monday since 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS
const WEEK_MS = WEEK_DAYS * DAY_MS

export interface LeagueRow {
  readonly division: number
  readonly group_number: number
  readonly user_id: number
  readonly username: string
  readonly picture: string | null
  readonly emoji: string | null
  readonly is_house: boolean
  readonly is_bot: boolean
  readonly points: number
  readonly place: number
}

/** Returns the Monday of a time's week in UTC: `2026-01-05`. */
export function toWeek(time: Date): string {
  const weeks = Math.floor((time.getTime() - FIRST_MONDAY_MS) / WEEK_MS)
  return new Date(weeks * WEEK_MS + FIRST_MONDAY_MS).toISOString().slice(0, 10)
}

/** Returns the time at which a week ends. */
export function getWeekEnd(week: string): Date {
  return new Date(Date.parse(week) + WEEK_MS)
}

/** Finds the newest week with members; undefined if no week has any. */
export async function findWeek(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ week: string | null }>`select max(week) as week from league_members`.execute(db)
  return rows[0]?.week ?? undefined
}

/**
 * Returns SQL for the league points of a week until a time: one row with `user_id` and `points` for each arena, daily
 * game and quest. `n` numbers a player's arenas of a day, the best one first. The number is 0 for daily games and
 * quests.
 */
export function selectParts(week: string, until: Date): RawBuilder<{ user_id: number; points: number; n: number }> {
  const start = sql`${`${week}T00:00:00Z`}::timestamptz`
  const end = sql`${getWeekEnd(week)}::timestamptz`
  const isThisWeek = sql`day >= ${week}::date and day < ${week}::date + ${WEEK_DAYS}::int`
  return sql`
    select r.user_id, r.league_points::int as points, row_number() over (
             partition by r.user_id, (f.bell_at at time zone 'utc')::date order by r.league_points desc)::int as n
      from fairs f join fair_results r on r.fair_id = f.id
     where f.kind = 'arena' and f.bell_at >= ${start} and f.bell_at < ${end} and f.settled_at <= ${until}
       and r.league_points > 0
     union all
    select user_id, case when gain > 0 then ${LEAGUE_POINTS.tapeGain}::int else ${LEAGUE_POINTS.tape}::int end, 0 from tape_plays
     where user_id is not null and bought_ms is not null and ${isThisWeek}
       and started_at + coalesce(sold_ms, ${TAPE_MS}) * interval '1 ms' <= ${until}
     union all
    select user_id, ${LEAGUE_POINTS.quest}::int, 0 from quests_done where ${isThisWeek} and at <= ${until}`
}

/**
 * Computes the points and ranks of a week in all groups at a certain time. House bots get points only for their best
 * arenas of a day: one arena in division 5, two in division 4, up to five in division 1. If points are equal, people
 * rank above house bots, and older accounts above younger ones.
 */
export async function computeLeague(db: Db, week: string, until: Date): Promise<LeagueRow[]> {
  const { rows } = await sql<LeagueRow>`
    with parts as materialized (${selectParts(week, until)}), members as (
      select m.division, m.group_number, m.user_id, u.username, u.profile_picture_url as picture,
             case u.kind when 'house' then u.emoji end as emoji,
             u.kind = 'house' as is_house, u.kind <> 'player' as is_bot,
             coalesce(sum(p.points) filter (where p.n <= case u.kind
               when 'house' then ${DIVISIONS + 1}::int - m.division else ${BEST_A_DAY}::int end), 0)::int as points
        from league_members m join users u on u.id = m.user_id left join parts p on p.user_id = m.user_id
       where m.week = ${week} and ${MAY_RANK} and u.deleted_at is null
       group by m.division, m.group_number, m.user_id, u.id
    )
    select *, row_number() over (
             partition by division, group_number order by points desc, is_house, user_id)::int as place
      from members order by division, group_number, place`.execute(db)
  return rows
}

/**
 * Returns a member's division in the next week. In each group, the best five members with points rise, and the last
 * five fall.
 */
export function toNextDivision({ division, place, points, size }: Finish): number {
  if (place <= MOVES && points > 0) return Math.max(1, division - 1)
  return place > size - MOVES ? Math.min(DIVISIONS, division + 1) : division
}

interface Finish {
  readonly division: number
  readonly place: number
  readonly points: number
  /** Number of the group's members who are ranked. */
  readonly size: number
}

export interface Seat {
  readonly division: number
  readonly group: number
  readonly userId: number
}

/**
 * Distributes people among the groups of their division for a week. Groups have about the same size, and at most twenty
 * members. The same people in the same week always get the same groups.
 */
export function drawGroups(week: string, people: readonly Pick<Seat, 'userId' | 'division'>[]): Seat[] {
  return Array.from({ length: DIVISIONS }, (_, index) => index + 1).flatMap((division) => {
    const ids = people.filter((player) => player.division === division).map(({ userId }) => userId)
    const groups = Math.ceil(ids.length / GROUP_MAX)
    return shuffle(`${week} ${division}`, ids).map((userId, n) => ({ division, group: (n % groups) + 1, userId }))
  })
}

/** Puts ids into a random order. The same seed text always gives the same order. */
export function shuffle(seed: string, ids: readonly number[]): number[] {
  const keyOf = (id: number) => hash('sha256', `${seed} ${id}`, 'hex')
  return [...ids].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
