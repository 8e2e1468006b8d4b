import type { Db, DemoWorldTable } from '@papermoon/db'
import { type Selectable, sql } from 'kysely'

/** A database's demo world: its history, and the house bots that continue to trade. */
export type DemoWorld = Selectable<DemoWorldTable>

/** Finds the demo world of the database. Returns null if there never was one. */
export async function findDemoWorld(db: Db): Promise<DemoWorld | null> {
  return (await db.selectFrom('demo_world').selectAll().executeTakeFirst()) ?? null
}

/**
 * Begins a demo world in a database that has no players and never had a demo world. Returns whether this call began the
 * demo world, because only one of several nodes can. Players who register later do not end the demo world.
 */
export async function beginDemoWorld(db: Db, seed: number): Promise<boolean> {
  if (!(await isUntouched(db))) return false
  return await db.transaction().execute(async (tx) => {
    // Lock the table, so that nobody can register between the check and the insert.
    await sql`lock table users in share row exclusive mode`.execute(tx)
    if (!(await isUntouched(tx))) return false
    await tx.insertInto('demo_world').values({ state: 'writing', seed, began_at: sql`now()` }).execute()
    return true
  })
}

async function isUntouched(db: Db): Promise<boolean> {
  const { rows } = await sql<{ untouched: boolean }>`
    select not exists (select from demo_world) and not exists (select from users) as untouched`.execute(db)
  return rows[0]?.untouched === true
}

/** Returns whether any player other than a house bot has registered. */
export async function hasPlayers(db: Db): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`
    select exists (select from users where kind <> 'house') as some`.execute(db)
  return rows[0]?.some === true
}

type State = DemoWorld['state']

/** Moves the demo world from one of the states `from` to `to`. Returns whether the world was in one of these states. */
export async function moveDemoWorld(db: Db, from: readonly State[], to: State): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('demo_world')
    .set({
      state: to,
      ...(to === 'running' && { written_at: sql<Date>`clock_timestamp()` }),
      ...(to === 'retired' && { retired_at: sql<Date>`clock_timestamp()` }),
    })
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
