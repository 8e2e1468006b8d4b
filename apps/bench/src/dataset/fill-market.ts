import { createHash } from 'node:crypto'
import { STARTING_BALANCE, solText } from '@papermoon/amm'
import type { DatabaseClient } from '@papermoon/db'
import type { LaunchOrder, Order, UserId } from '@papermoon/engine'
import { type BatchChanges, BulkMarket, createBatch, prepareBulkConnection, writeBatch } from '@papermoon/engine/bulk'
import { sql } from 'kysely'
import { createRandom } from '../random.ts'
import { chooseOrder } from './choose-order.ts'
import { type Moment, marketMoments } from './market-moments.ts'
import { computeLifetime, type MarketPlan } from './market-plan.ts'

/** Max number of orders per transaction. One statement handles this many well. */
const BATCH = 4_000

/** A market during its generation. */
interface Filling {
  readonly plan: MarketPlan
  readonly bulk: BulkMarket
  readonly random: () => number
  /** Number of orders generated so far. */
  orders: number
}

/**
 * Fills an empty, migrated database with a planned market that ends at `endMs` and passes the audit. `onProgress` gets
 * the number of orders generated so far.
 */
export async function fillMarket(
  { db, pool }: Pick<DatabaseClient, 'db' | 'pool'>,
  { plan, endMs }: { readonly plan: MarketPlan; readonly endMs: number },
  onProgress: (orders: number) => void = () => {},
): Promise<void> {
  const filling = startFilling(plan)
  await addPlayers(db, plan, endMs)
  const client = await pool.connect()
  let orders = 0
  try {
    await prepareBulkConnection(client)
    // Compute the next batch while the database writes the previous one.
    let writing = Promise.resolve()
    for (const moments of splitByMinute(marketMoments(plan.tokens, endMs))) {
      const changes = applyAll(moments, filling)
      await writing
      writing = writeBatch(client, changes)
      orders += changes.journal.length
      onProgress(orders)
      await new Promise(setImmediate)
    }
    await writing
  } finally {
    client.release(true)
  }
}

function startFilling(plan: MarketPlan): Filling {
  const bulk = new BulkMarket()
  for (let i = 1; i <= plan.players; i++) {
    bulk.addPlayer({ userId: i as UserId, username: `Player ${i}` }, STARTING_BALANCE)
  }
  return { plan, bulk, random: createRandom(0xb00c), orders: 0 }
}

/** Splits launches and trades by minute, because a batch must lie within one candle. */
function* splitByMinute(moments: Iterable<Moment>): Generator<Moment[]> {
  let batch: Moment[] = []
  const toMinute = (moment: Moment | undefined) => Math.floor((moment?.atMs ?? 0) / 60_000)
  for (const moment of moments) {
    if (batch.length === BATCH || (batch.length > 0 && toMinute(moment) !== toMinute(batch[0]))) {
      yield batch
      batch = []
    }
    batch.push(moment)
  }
  if (batch.length > 0) yield batch
}

function applyAll(moments: readonly Moment[], filling: Filling): BatchChanges {
  const changes = createBatch()
  for (const moment of moments) {
    const order = toOrder(moment, filling)
    // The key is repeatable, and as long as the keys that browsers send.
    const requestKey = createHash('md5')
      .update(`order ${++filling.orders}`)
      .digest('hex')
    filling.bulk.apply({ order, atMs: moment.atMs, requestKey }, changes)
  }
  return changes
}

function toOrder({ token, isLaunch }: Moment, { plan, bulk, random }: Filling): Order {
  const creator = ((token % plan.players) + 1) as UserId
  if (isLaunch) return createLaunch(token, creator)
  return chooseOrder({
    market: bulk.market,
    players: plan.players,
    token,
    trades: plan.tokens[token - 1]?.trades ?? 0,
    random,
  })
}

function createLaunch(token: number, userId: UserId): LaunchOrder {
  const described = {
    name: `Paper Moon ${token}`,
    symbol: `PM${token}`.slice(0, 10),
    emoji: '🌙',
    description: `Token ${token} of a made market: it goes up, it goes down, and nobody is any poorer for it.`,
    website: 'https://papermoon.example',
    x: null,
    telegram: null,
  }
  return { kind: 'launch', userId, token: described }
}

async function addPlayers(db: DatabaseClient['db'], plan: MarketPlan, endMs: number): Promise<void> {
  const joined = new Date(endMs - computeLifetime(plan) - 60_000)
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
