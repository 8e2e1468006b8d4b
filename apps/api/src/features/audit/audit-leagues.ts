import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { readDatabaseTime } from '../../database/probe-database.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { computeLeague, drawGroups, findWeek, LASTING_QUESTS, selectDone, toNextDivision } from '../fairs/public.ts'
import type { Differences } from './differences.ts'

interface MemberRow {
  readonly division: number
  readonly group_number: number
  readonly user_id: number
  readonly points: number
  readonly place: number
  readonly is_house: boolean
}

/** Recomputes the last closed week of the leagues: its quests, points, ranks and groups. */
export async function auditLeagues(db: Db, differences: Differences): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const next = await findWeek(tx)
      const { rows } = await sql<{ week: string | null }>`
        select max(week) as week from league_members where place is not null and week < ${next ?? null}::date`.execute(
        tx,
      )
      const week = rows[0]?.week ?? null
      if (week === null || next === undefined) return
      await auditQuests(tx, week, differences)
      await auditPoints(tx, week, differences)
      await auditDraw(tx, { week, next }, differences)
    })
}

/**
 * Compares those quests of a week that depend only on trades and results. The other quests depend on posts and daily
 * games, which can be deleted.
 */
async function auditQuests(tx: Db, week: string, differences: Differences): Promise<void> {
  const { began_at: began } = await tx.selectFrom('league_progress').select('began_at').executeTakeFirstOrThrow()
  for (let n = 0; n < 7; n++) {
    const from = new Date(Date.parse(week) + n * DAY_MS)
    if (from < began) continue
    const until = new Date(from.getTime() + DAY_MS)
    const day = from.toISOString().slice(0, 10)
    const expected = await sql<{ user_id: number; quest: string }>`${selectDone({ day, from, until })}`.execute(tx)
    const stored = await sql<{ user_id: number; quest: string }>`
      select user_id, quest from quests_done where day = ${day}
         and user_id in (select id from users where deleted_at is null)`.execute(tx)
    const toKeys = (rows: readonly { readonly user_id: number; readonly quest: string }[]) =>
      new Set(
        rows.filter(({ quest }) => LASTING_QUESTS.has(quest)).map((row) => `${row.quest} of player ${row.user_id}`),
      )
    const [wanted, found] = [toKeys(expected.rows), toKeys(stored.rows)]
    for (const key of wanted) if (!found.has(key)) differences.add(`quests of ${day}`, `${key} is missing`)
    for (const key of found) if (!wanted.has(key)) differences.add(`quests of ${day}`, `${key} was not done`)
  }
}

/** Compares the points of members whose account still exists, and the order of all ranks. */
async function auditPoints(tx: Db, week: string, differences: Differences): Promise<void> {
  const stored = await readMembers(tx, week)
  const keyOf = ({ division, group_number, user_id }: Pick<MemberRow, 'division' | 'group_number' | 'user_id'>) =>
    `league of ${week}, division ${division}, group ${group_number}, player ${user_id}`
  const computed = new Map(
    (await computeLeague(tx, week, await readDatabaseTime(tx))).map((row) => [keyOf(row), row.points]),
  )
  let above: MemberRow | undefined
  let place = 0
  for (const row of stored) {
    const isSameGroup = above?.division === row.division && above.group_number === row.group_number
    place = isSameGroup ? place + 1 : 1
    const points = computed.get(keyOf(row)) ?? row.points
    if (points !== row.points) differences.add(keyOf(row), `points are ${row.points}, but should be ${points}`)
    if (row.place !== place) differences.add(keyOf(row), `rank is ${row.place}, but should be ${place}`)
    above = row
  }
}

/** Compares the groups of the next week with those that follow from the results. */
async function auditDraw(tx: Db, weeks: { week: string; next: string }, differences: Differences): Promise<void> {
  const { rows: drawn } = await sql<{ division: number; group_number: number; user_id: number }>`
    select m.division, m.group_number, m.user_id from league_members m join users u on u.id = m.user_id
     where m.week = ${weeks.next} and m.joined_at is null and u.kind <> 'house'`.execute(tx)
  const last = await readMembers(tx, weeks.week)
  const sizeOf = (row: MemberRow) =>
    last.filter((other) => other.division === row.division && other.group_number === row.group_number).length
  // Players who were suspended when the groups were drawn are in no group.
  const ids = new Set(drawn.map(({ user_id }) => user_id))
  const people = last
    .filter(({ user_id, is_house }) => !is_house && ids.has(user_id))
    .map((row) => ({ userId: row.user_id, division: toNextDivision({ ...row, size: sizeOf(row) }) }))
  const expected = new Map(drawGroups(weeks.next, people).map((seat) => [seat.userId, seat]))
  for (const { user_id: id, division, group_number: group } of drawn) {
    const seat = expected.get(id)
    if (seat?.division === division && seat.group === group) continue
    const wanted = seat === undefined ? 'no group' : `division ${seat.division}, group ${seat.group}`
    differences.add(
      `league of ${weeks.next}, player ${id}`,
      `is in division ${division}, group ${group}, but should be in ${wanted}`,
    )
  }
}

/** Reads the members of a closed week in the order of their correct ranks. */
async function readMembers(tx: Db, week: string): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.division, m.group_number, m.user_id, m.points, m.place, u.kind = 'house' as is_house
      from league_members m join users u on u.id = m.user_id where m.week = ${week} and m.place is not null
     order by m.division, m.group_number, m.points desc, is_house, m.user_id`.execute(tx)
  return rows
}
