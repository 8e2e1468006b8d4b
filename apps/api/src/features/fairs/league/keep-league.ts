import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { MAY_RANK } from '../../../database/conditions.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/durations.ts'
import { lockPosition, notifyPlayers } from '../../notices/public.ts'
import { drawBots } from '../open-fair.ts'
import {
  computeLeague,
  DIVISIONS,
  drawGroups,
  findWeek,
  GROUP_MAX,
  getWeekEnd,
  type Seat,
  selectParts,
  shuffle,
  toNextDivision,
  toWeek,
} from './compute-league.ts'
import { QUESTS, type QuestSpan, selectDone } from './quests.ts'

/**
 * By how many ms two steps overlap. The overlap is needed, because a transaction that commits after a step may contain
 * events from before it.
 */
const OVERLAP_MS = MINUTE_MS
/** Max period that one step handles, in ms. */
const SPAN_MAX_MS = HOUR_MS
/** How long after the end of a week the server closes it, in ms. All events of the week are committed by then. */
const CLOSE_AFTER_MS = OVERLAP_MS

/**
 * Finds completed quests, closes a week that has ended, draws the groups of the next week, and adds players who got
 * points. Only one node works at a time; the others return at once. Tests set the time `at`.
 */
export async function keepLeague(db: Db, at: Date | null = null): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ questsUntil: Date; now: Date }>`
      select quests_until as "questsUntil", coalesce(${at}::timestamptz, clock_timestamp()) as now from league_progress
         for update skip locked`.execute(tx)
    const [progress] = rows
    if (progress === undefined) return
    const until = new Date(Math.min(progress.now.getTime(), progress.questsUntil.getTime() + SPAN_MAX_MS))
    const completed = await findQuests(tx, { from: new Date(progress.questsUntil.getTime() - OVERLAP_MS), until })
    await sql`update league_progress set quests_until = ${until}`.execute(tx)
    await notifyOfQuests(tx, completed)
    const last = await findWeek(tx)
    if (last !== undefined && last < toWeek(until)) {
      if (!(await isComplete(tx, last, until))) return
      await closeWeek(tx, last, until)
      await insertSeats(tx, toWeek(until), drawGroups(toWeek(until), await findNextDivisions(tx, last)))
    }
    await seatNewcomers(tx, toWeek(until), until)
    // Without people, a week still has a group of house bots, so that newcomers see whom they will play against.
    if ((await findWeek(tx)) !== toWeek(until)) await fillGroups(tx, toWeek(until), [{ division: DIVISIONS, group: 1 }])
  })
}

interface Completed {
  readonly userId: UserId
  readonly day: string
  readonly quest: string
}

/** Inserts and returns the quests that events in a period completed. A period over midnight belongs to two days. */
async function findQuests(tx: Tx, { from, until }: Omit<QuestSpan, 'day'>): Promise<Completed[]> {
  const completed: Completed[] = []
  for (let start = from; start < until; ) {
    const day = start.toISOString().slice(0, 10)
    const end = new Date(Math.min(until.getTime(), Date.parse(day) + DAY_MS))
    const { rows } = await sql<Completed>`
      insert into quests_done (day, user_id, quest, at)
      select ${day}::date, user_id, quest, ${end} from (${selectDone({ day, from: start, until: end })}) done
          on conflict do nothing
      returning user_id as "userId", ${day} as day, quest`.execute(tx)
    completed.push(...rows)
    start = end
  }
  return completed
}

/** Notifies players of the quests that they have just completed. */
async function notifyOfQuests(tx: Tx, completed: readonly Completed[]): Promise<void> {
  if (completed.length === 0) return
  await lockPosition(tx)
  await notifyPlayers(
    tx,
    completed.map(({ userId, day, quest }) => ({
      userId,
      kind: 'mention',
      key: `quest ${day} ${quest} ${userId}`,
      tokenId: null,
      actorId: null,
      seq: null,
      detail: { quest: QUESTS.find(({ id }) => id === quest)?.text ?? quest },
    })),
  )
}

/** Returns whether all results of a week that give points are final. */
async function isComplete(tx: Tx, week: string, until: Date): Promise<boolean> {
  const end = getWeekEnd(week)
  if (until.getTime() < end.getTime() + CLOSE_AFTER_MS) return false
  const { rows } = await sql`
    select from fairs where kind = 'arena' and state = 'open' and bell_at < ${end} limit 1`.execute(tx)
  return rows.length === 0
}

/** Writes the final points and ranks of a week. */
async function closeWeek(tx: Tx, week: string, until: Date): Promise<void> {
  const members = await computeLeague(tx, week, until)
  const pick = (key: 'user_id' | 'division' | 'group_number' | 'points' | 'place') => members.map((row) => row[key])
  await sql`
    update league_members m set points = f.points, place = f.place
      from unnest(${pick('user_id')}::int[], ${pick('division')}::int[], ${pick('group_number')}::int[],
        ${pick('points')}::int[], ${pick('place')}::int[]) as f (user_id, division, group_number, points, place)
     where m.week = ${week} and m.user_id = f.user_id and m.division = f.division
       and m.group_number = f.group_number and m.place is null`.execute(tx)
}

/**
 * Finds the next divisions of people who had points in a closed week. Other people join the league again when they get
 * points.
 */
async function findNextDivisions(tx: Tx, week: string): Promise<Pick<Seat, 'userId' | 'division'>[]> {
  return (await findLastDivisions(tx, sql`m.week = ${week} and m.points > 0`)).map(({ user_id: userId, division }) => {
    return { userId, division }
  })
}

/** Finds the next divisions of people from the last week in which they had a group. */
async function findLastDivisions(
  tx: Tx,
  where: ReturnType<typeof sql>,
): Promise<{ readonly user_id: number; readonly division: number }[]> {
  const { rows } = await sql<{ user_id: number; division: number; place: number; points: number; size: number }>`
    select distinct on (m.user_id) m.user_id, m.division, m.place, m.points, (
             select count(*)::int from league_members g where g.week = m.week and g.division = m.division
                and g.group_number = m.group_number and g.place is not null) as size
      from league_members m join users u on u.id = m.user_id
     where u.kind <> 'house' and ${MAY_RANK} and u.deleted_at is null and m.place is not null and ${where}
     order by m.user_id, m.week desc`.execute(tx)
  return rows.map((row) => ({ user_id: row.user_id, division: toNextDivision(row) }))
}

/** Adds people who have points but no group to a group of the week, in place of a house bot. */
async function seatNewcomers(tx: Tx, week: string, now: Date): Promise<void> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct p.user_id from (${selectParts(week, now)}) p join users u on u.id = p.user_id
     where u.kind <> 'house' and ${MAY_RANK} and u.deleted_at is null
       and not exists (select from league_members m where m.week = ${week} and m.user_id = p.user_id)
     order by 1`.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map(({ user_id }) => user_id)
  const known = new Map(
    (await findLastDivisions(tx, sql`m.user_id = any(${ids}::int[])`)).map((row) => [row.user_id, row.division]),
  )
  for (const userId of ids) {
    const division = known.get(userId) ?? DIVISIONS
    await insertSeats(tx, week, [{ division, group: await findSeat(tx, week, division), userId }], now)
  }
}

/** Finds the group of a division with the fewest people. If all groups are full, returns the number of a new group. */
async function findSeat(tx: Tx, week: string, division: number): Promise<number> {
  const { rows } = await sql<{ group: number; people: number }>`
    select group_number as "group", (count(*) filter (where u.kind <> 'house'))::int as people
      from league_members m join users u on u.id = m.user_id where week = ${week} and division = ${division}
     group by group_number order by people, group_number`.execute(tx)
  const [emptiest] = rows
  return emptiest !== undefined && emptiest.people < GROUP_MAX ? emptiest.group : rows.length + 1
}

function toRow(week: string, { division, group, userId }: Seat) {
  return { week, division, group_number: group, user_id: userId }
}

/** Inserts people into groups, which get house bots up to twenty members. */
async function insertSeats(tx: Tx, week: string, seats: readonly Seat[], joinedAt: Date | null = null): Promise<void> {
  if (seats.length === 0) return
  await tx
    .insertInto('league_members')
    .values(seats.map((seat) => ({ ...toRow(week, seat), joined_at: joinedAt })))
    .execute()
  const groups = new Map(seats.map(({ division, group }) => [`${division} ${group}`, { division, group }]))
  await fillGroups(tx, week, [...groups.values()])
}

/** Adds or removes house bots so that each group has twenty members. */
async function fillGroups(tx: Tx, week: string, groups: readonly Omit<Seat, 'userId'>[]): Promise<void> {
  const bots = await drawBots(tx, { secret: Buffer.from(week), bots: 1_000 })
  for (const { division, group } of groups) {
    const members = await tx
      .selectFrom('league_members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(['u.id', 'u.kind'])
      .where('m.week', '=', week)
      .where('m.division', '=', division)
      .where('m.group_number', '=', group)
      .execute()
    const people = members.filter(({ kind }) => kind !== 'house').length
    const wanted = shuffle(`${week} ${division} ${group}`, bots).slice(0, GROUP_MAX - people)
    await sql`
      delete from league_members m using users u where u.id = m.user_id and u.kind = 'house' and m.week = ${week}
         and m.division = ${division} and m.group_number = ${group} and m.user_id <> all(${wanted}::int[])`.execute(tx)
    if (wanted.length === 0) continue
    await tx
      .insertInto('league_members')
      .values(wanted.map((userId) => toRow(week, { division, group, userId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
