import type { League } from '@papermoon/contract/fairs'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { CachedKind } from '../../../cache/memory.ts'
import type { App } from '../../../context.ts'
import {
  computeLeague,
  DIVISIONS,
  findWeek,
  getWeekEnd,
  type LeagueRow,
  MOVES,
  toNextDivision,
  toWeek,
} from './compute-league.ts'
import { drawQuests } from './quests.ts'

/** Max age in ms of the computed groups that all callers share. */
const FRESH_MS = 5_000

interface Week {
  readonly week: string
  readonly rows: readonly LeagueRow[]
}

const leagueWeeks: CachedKind<Week> = { name: 'league', sizeKb: ({ rows }) => 1 + rows.length / 4 }

/**
 * Returns the caller's group of the week, at most a few seconds old. Callers without a group get one that they could
 * join with their first points.
 */
export async function getLeague(app: App, userId: UserId): Promise<League> {
  const { db, clock } = app.platform
  const { week, rows } = await readWeek(app)
  const own = rows.find((row) => row.user_id === userId)
  const last = await findLast(app, userId, week)
  const shown = own ?? rows.find((row) => row.division === (last?.nextDivision ?? DIVISIONS)) ?? rows.at(-1)
  const group = rows.filter((row) => row.division === shown?.division && row.group_number === shown.group_number)
  const division = shown?.division ?? DIVISIONS
  return {
    startsAt: `${week}T00:00:00.000Z`,
    endsAt: getWeekEnd(week).toISOString(),
    division,
    rising: division > 1 ? MOVES : 0,
    falling: division < DIVISIONS ? MOVES : 0,
    members: group.map((row) => ({
      place: row.place,
      userId: row.user_id as UserId,
      username: row.username,
      isBot: row.is_bot,
      profilePictureUrl: row.picture,
      emoji: row.emoji,
      points: row.points,
    })),
    place: own?.place ?? null,
    last,
    quests: await findQuests(db, userId, clock.now()),
  }
}

function readWeek(app: App): Promise<Week> {
  return app.market.memory.share(leagueWeeks, 'this week', { freshMs: FRESH_MS }, () => computeWeek(app))
}

async function computeWeek({ platform: { db, clock } }: App): Promise<Week> {
  const now = clock.now()
  const week = (await findWeek(db)) ?? toWeek(now)
  return { week, rows: await computeLeague(db, week, now) }
}

/** Finds the result of the player's last closed week. */
async function findLast({ platform: { db } }: App, userId: UserId, week: string): Promise<League['last']> {
  const { rows } = await sql<{ division: number; place: number; points: number; size: number }>`
    select m.division, m.place, m.points, (
             select count(*)::int from league_members g where g.week = m.week and g.division = m.division
                and g.group_number = m.group_number and g.place is not null) as size
      from league_members m where m.user_id = ${userId} and m.week < ${week} and m.place is not null
     order by m.week desc limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { division, place, points } = row
  return { division, place, points, nextDivision: toNextDivision(row) }
}

async function findQuests(db: App['platform']['db'], userId: UserId, now: Date): Promise<League['quests']> {
  const day = now.toISOString().slice(0, 10)
  const done = await db
    .selectFrom('quests_done')
    .select('quest')
    .where('day', '=', day)
    .where('user_id', '=', userId)
    .execute()
  return drawQuests(day).map(({ id, text }) => ({ id, text, isDone: done.some(({ quest }) => quest === id) }))
}
