import { createHash } from 'node:crypto'
import { STARTING_BALANCE, solText } from '@papermoon/amm'
import type { DatabaseClient } from '@papermoon/db'
import { sql } from 'kysely'
import { applyTicket } from '@papermoon/engine'
import { BatchChanges } from '@papermoon/engine'
import { Market, withBalance } from '@papermoon/engine'
import { type BatchReadings, NOTHING_READ } from '@papermoon/engine'
import { prepareSession } from '@papermoon/engine'
import { writeChanges } from '@papermoon/engine'
import type { TokenId, UserId } from '@papermoon/engine'
import type { LaunchOrder, Order } from '@papermoon/engine'
import { createRandom } from '../random.ts'
import { chooseOrder } from './choose-order.ts'
import { type Moment, marketMoments } from './market-moments.ts'
import { lifeOf, type MarketPlan } from './market-plan.ts'

/** Most orders of one transaction: as many as one statement takes well. */
const BATCH = 4_000

/** The market while it is made. */
interface Filling {
  readonly plan: MarketPlan
  readonly market: Market
  readonly readings: BatchReadings
  readonly random: () => number
  /** Done so far. */
  orders: number
}

/**
 * Fills an empty, migrated database with a planned market that ends at `endMs`: what the engine would have made of the
 * same orders, by its own pure functions and its own writer, so that the audit finds it exact. No queue, no locks, no
 * reading. Ids of trades leave room for the plan's copies. `onProgress` is told the number of orders done.
 */
export async function fillMarket(
  { db, pool }: Pick<DatabaseClient, 'db' | 'pool'>,
  { plan, endMs }: { readonly plan: MarketPlan; readonly endMs: number },
  onProgress: (orders: number) => void = () => {},
): Promise<void> {
  const filling = startFilling(plan)
  await addPlayers(db, plan, endMs)
  // Ids leave room for the copies.
  await sql.raw(`alter table trades alter id set increment ${plan.copies} restart ${plan.copies}`).execute(db)
  const client = await pool.connect()
  let orders = 0
  try {
    await prepareSession(client)
    // The next batch is computed while the database writes the last.
    let writing = Promise.resolve()
    for (const moments of batchesOf(marketMoments(plan.tokens, endMs))) {
      const changes = applyAll(moments, filling)
      await writing
      writing = write(client, changes)
      orders += changes.journal.length
      onProgress(orders)
      await new Promise(setImmediate)
    }
    await writing
  } finally {
    client.release(true)
  }
}

async function write(client: Client, changes: BatchChanges): Promise<void> {
  await client.query('begin')
  await writeChanges(client, changes)
  await client.query('commit')
}

function startFilling(plan: MarketPlan): Filling {
  const market = new Market()
  for (let i = 1; i <= plan.players; i++) {
    const userId = i as UserId
    market.setAccount(withBalance({ userId, username: `Player ${i}` }, STARTING_BALANCE))
  }
  let lastToken = 0
  const readings: BatchReadings = { ...NOTHING_READ, nextTokenId: () => ++lastToken as TokenId }
  return { plan, market, readings, random: createRandom(0xb00c), orders: 0 }
}

type Client = Parameters<typeof writeChanges>[0]

/** Of one minute each: a batch happens within one candle. */
function* batchesOf(moments: Iterable<Moment>): Generator<Moment[]> {
  let batch: Moment[] = []
  const minuteOf = (moment: Moment | undefined) => Math.floor((moment?.atMs ?? 0) / 60_000)
  for (const moment of moments) {
    if (batch.length === BATCH || (batch.length > 0 && minuteOf(moment) !== minuteOf(batch[0]))) {
      yield batch
      batch = []
    }
    batch.push(moment)
  }
  if (batch.length > 0) yield batch
}

function applyAll(moments: readonly Moment[], filling: Filling): BatchChanges {
  const { market, readings } = filling
  const changes = new BatchChanges()
  for (const moment of moments) {
    const order = orderOf(moment, filling)
    // As long as the keys that browsers send, and repeatable.
    const requestKey = createHash('md5')
      .update(`order ${++filling.orders}`)
      .digest('hex')
    const ticket = { order, requestKey, mayBeRepeat: false, queuedAtMs: 0 }
    applyTicket({ market, changes, readings, nowMs: moment.atMs }, { ...ticket, resolve() {}, reject() {} })
  }
  return changes
}

function orderOf({ token, isLaunch }: Moment, { plan, market, random }: Filling): Order {
  if (isLaunch) return launchOf(token, plan.players)
  return chooseOrder({ market, players: plan.players, token, trades: plan.tokens[token - 1]?.trades ?? 0, random })
}

function launchOf(token: number, players: number): LaunchOrder {
  const described = {
    name: `Paper Moon ${token}`,
    symbol: `PM${token}`.slice(0, 10),
    emoji: '🌙',
    description: `Token ${token} of a made market: it goes up, it goes down, and nobody is any poorer for it.`,
    website: 'https://papermoon.example',
    x: null,
    telegram: null,
  }
  return { kind: 'launch', userId: ((token % players) + 1) as UserId, token: described }
}

async function addPlayers(db: DatabaseClient['db'], plan: MarketPlan, endMs: number): Promise<void> {
  const joined = new Date(endMs - lifeOf(plan) - 60_000)
  const amount = solText(STARTING_BALANCE)
  await sql`with u as (
      insert into users (username, username_key, email, email_key, wallet, password_hash, created_at)
      select 'Player ' || n, 'player ' || n, 'player-' || n || '@papermoon.example',
             'player-' || n || '@papermoon.example', 'wallet-' || n, 'none', ${joined}
        from generate_series(1, ${plan.players}::int) n order by n
      returning id
    ), a as (insert into accounts (user_id, sol_balance) select id, ${amount}::numeric from u)
    insert into grants (user_id, kind, amount, created_at)
    select id, 'register', ${amount}::numeric, ${joined} from u`.execute(db)
}
