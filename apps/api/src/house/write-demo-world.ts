import { Decimal, solText } from '@papermoon/amm'
import { CHARACTERS } from '@papermoon/bots'
import type { DatabaseClient } from '@papermoon/db'
import { BusyError, type TokenId } from '@papermoon/engine'
import { reservePositions, writeHistory } from '@papermoon/engine/bulk'
import type pg from 'pg'
import { usernameKey } from '../features/account/username-key.ts'
import { createHouseBots } from './create-house-bots.ts'
import type { HistoryFigures } from './demo-keeper.ts'
import { findDemoWorld } from './demo-world.ts'
import { findHouseBots } from './house-bots.ts'
import { HISTORY_MS, type HistoryBot, type HistoryPlan, type MadeHistory, makeHistory } from './make-history.ts'

/**
 * Number of token ids that are reserved for a second attempt. Ids that the second attempt does not need stay unused.
 */
const TOKEN_IDS = 64

/**
 * Writes the history of a demo world in one transaction, so that nobody ever sees only a part of it. Players can
 * register, launch and trade meanwhile, because ids and positions are reserved first. Returns null if there is no
 * history to write.
 */
export async function writeDemoWorld(
  { db, pool }: Pick<DatabaseClient, 'db' | 'pool'>,
  endMs: number,
): Promise<Omit<HistoryFigures, 'seconds'> | null> {
  const world = await findDemoWorld(db)
  if (world?.state !== 'writing') return null
  const bots = await findOrCreateBots({ db }, new Date(endMs - HISTORY_MS))
  const client = await pool.connect()
  try {
    const made = await makeWithIds(client, { seed: world.seed, bots, endMs })
    const first = await inTransaction(client, () => reservePositions(client, made.history.length))
    const isWritten = await inTransaction(client, () => writeAll(client, made, first))
    // Analyze the tables, because PostgreSQL would otherwise plan for empty tables until the next vacuum.
    await client.query('analyze tokens, pools, trades, holdings, closed_candles, rugs')
    const { launches, trades } = made.history
    return isWritten ? { tokens: launches.length, trades: trades.length, bots: bots.length } : null
  } finally {
    client.release(true)
  }
}

/** Returns the house bots of an earlier attempt, or creates them. Leaves out bots whose names are taken. */
async function findOrCreateBots({ db }: Pick<DatabaseClient, 'db'>, at: Date): Promise<HistoryBot[]> {
  let found = await findHouseBots(db)
  if (found.length === 0) {
    const keys = CHARACTERS.map(({ name }) => usernameKey(name))
    const taken = await db.selectFrom('users').select('username_key').where('username_key', 'in', keys).execute()
    const takenKeys = new Set(taken.map(({ username_key }) => username_key))
    const free = CHARACTERS.filter(({ name }) => !takenKeys.has(usernameKey(name)))
    await createHouseBots(db, free, { at })
    found = await findHouseBots(db)
  }
  const characters = new Map(CHARACTERS.map((character) => [character.name, character]))
  return found.flatMap(({ id, username, balance }) => {
    const character = characters.get(username)
    return character === undefined ? [] : [{ userId: id, character, balance: new Decimal(balance) }]
  })
}

/**
 * Makes a history with token ids from the sequence. A launch's hash contains the token's id, but the number of ids is
 * known only at the end. The first attempt therefore assumes the next ids. If a player launched a token meanwhile, a
 * second attempt uses reserved ids.
 */
async function makeWithIds(client: pg.ClientBase, plan: Omit<HistoryPlan, 'nextTokenId'>): Promise<MadeHistory> {
  let assumed = await readLastTokenId(client)
  const made = makeHistory({ ...plan, nextTokenId: () => ++assumed as TokenId })
  const ids = await drawTokenIds(client, made.history.launches.length)
  if (made.history.launches.every(({ tokenId }, i) => tokenId === ids[i])) return made
  ids.push(...(await drawTokenIds(client, TOKEN_IDS - ids.length)))
  return makeHistory({ ...plan, nextTokenId: () => takeNext(ids) })
}

async function readLastTokenId(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    'select case when is_called then last_value else last_value - 1 end::int as last from tokens_id_seq',
  )
  return rows[0]?.last ?? 0
}

async function drawTokenIds(client: pg.ClientBase, count: number): Promise<TokenId[]> {
  const { rows } = await client.query<{ id: TokenId }>(
    "select nextval('tokens_id_seq')::int as id from generate_series(1, $1::int)",
    [count],
  )
  return rows.map(({ id }) => id)
}

function takeNext(ids: TokenId[]): TokenId {
  const id = ids.shift()
  // Reject the launch with the error that a busy server returns.
  if (id === undefined) throw new BusyError()
  return id
}

async function writeAll(
  client: pg.ClientBase,
  { history, grants }: MadeHistory,
  firstPosition: number,
): Promise<boolean> {
  // If another process is writing this history, this statement waits until that process has finished.
  const { rowCount } = await client.query(WRITTEN)
  if (rowCount === 0) return false
  await writeHistory(client, history, firstPosition)
  await client.query(INSERT_GRANTS, [
    grants.map(({ userId }) => userId),
    grants.map(({ amount }) => solText(amount)),
    grants.map(({ atMs }) => new Date(atMs)),
  ])
  return true
}

const WRITTEN = `update demo_world set state = 'running', written_at = clock_timestamp() where state = 'writing'`

const INSERT_GRANTS = `
  insert into grants (user_id, kind, amount, created_at)
  select user_id, 'house', amount, created_at
  from unnest($1::int[], $2::numeric[], $3::timestamptz[]) g (user_id, amount, created_at)`

async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const done = await work()
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
