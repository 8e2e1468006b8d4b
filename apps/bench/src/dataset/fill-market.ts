import { createHash } from 'node:crypto'
import { Decimal, type Sol, STARTING_BALANCE, solText } from '@papermoon/amm'
import type { DatabaseClient } from '@papermoon/db'
import type { LaunchOrder, Order, TokenId, UserId } from '@papermoon/engine'
import { MarketHistory, prepareBulkConnection, reservePositions, writeHistory } from '@papermoon/engine/bulk'
import { sql } from 'kysely'
import { createRandom } from '../random.ts'
import { chooseOrder } from './choose-order.ts'
import type { MarketPlan, TokenPlan } from './market-plan.ts'

/** A launch or trade. */
interface Moment {
  readonly tokenId: TokenId
  /** Number of trades that the plan has for the token. */
  readonly trades: number
  readonly isLaunch: boolean
  readonly atMs: number
}

/**
 * Fills an empty, migrated database with a planned market that ends at `endMs` and passes the audit. Writes the
 * histories one after another, because only one fits into memory.
 */
export async function fillMarket(
  { db, pool }: Pick<DatabaseClient, 'db' | 'pool'>,
  { plan, endMs }: { readonly plan: MarketPlan; readonly endMs: number },
  say: (line: string) => void = () => {},
): Promise<void> {
  const { players, tokens, repeats } = plan
  const lifetimeMs = 1 + tokens.reduce((max, { ageMs }) => Math.max(max, ageMs), 0)
  const startBalance = STARTING_BALANCE.mul(repeats)
  await addPlayers(db, { players, balance: startBalance, at: new Date(endMs - lifetimeMs * repeats - 60_000) })
  let balanceOf = (_userId: UserId): Sol => startBalance
  for (let repeat = 0; repeat < repeats; repeat++) {
    let lastId = repeat * tokens.length
    const history = new MarketHistory({ nextTokenId: () => ++lastId as TokenId })
    for (let i = 1; i <= players; i++) {
      const userId = i as UserId
      history.addPlayer({ userId, username: `Player ${i}` }, balanceOf(userId))
    }
    const moments = listMoments(tokens, { firstId: lastId + 1, endMs: endMs - lifetimeMs * (repeats - 1 - repeat) })
    placeAll(history, moments, players)
    await write(pool, history)
    balanceOf = (userId) => history.market.account(userId)?.balance ?? new Decimal(0)
    say(`  ${repeat + 1} of ${repeats} histories`)
  }
}

/** Lists all launches and trades of a history by time. A token's trades are spread evenly over its life. */
export function listMoments(
  tokens: readonly TokenPlan[],
  { firstId, endMs }: { readonly firstId: number; readonly endMs: number },
): Moment[] {
  const random = createRandom(0xc10c)
  const moments = tokens.flatMap(({ trades, ageMs }, i): Moment[] => {
    const token = { tokenId: (firstId + i) as TokenId, trades }
    const launchedMs = endMs - 1 - ageMs
    const traded = Array.from({ length: trades }, (): Moment => {
      return { ...token, isLaunch: false, atMs: Math.floor(launchedMs + random() * ageMs) }
    })
    return [{ ...token, isLaunch: true, atMs: launchedMs }, ...traded]
  })
  // Sorting keeps the order of equal times, so a launch comes before its token's trades.
  return moments.sort((a, b) => a.atMs - b.atMs)
}

function placeAll(history: MarketHistory, moments: readonly Moment[], players: number): void {
  const random = createRandom(0xb00c)
  for (const { tokenId, trades, isLaunch, atMs } of moments) {
    const order: Order = isLaunch
      ? createLaunch(tokenId, ((tokenId % players) + 1) as UserId)
      : chooseOrder({ market: history.market, players, tokenId, trades, random })
    // The keys are the same in each run, and as long as those that browsers send.
    const requestKey = createHash('md5').update(`order ${history.length} of ${moments[0]?.atMs}`).digest('hex')
    history.place({ order, atMs, requestKey })
  }
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

async function write(pool: DatabaseClient['pool'], history: MarketHistory): Promise<void> {
  const client = await pool.connect()
  try {
    await prepareBulkConnection(client)
    const first = await reservePositions(client, history.length)
    await client.query('begin')
    await writeHistory(client, history, first)
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

interface Joining {
  readonly players: number
  readonly balance: Sol
  readonly at: Date
}

async function addPlayers(db: DatabaseClient['db'], { players, balance, at }: Joining): Promise<void> {
  const amount = solText(balance)
  await sql`with u as (
      insert into users (username, username_key, email, email_key, wallet, password_hash, created_at)
      select 'Player ' || n, 'player ' || n, 'player-' || n || '@papermoon.example',
             'player-' || n || '@papermoon.example', 'wallet-' || n, 'none', ${at}
        from generate_series(1, ${players}::int) n order by n
      returning id
    ), a as (insert into accounts (user_id, sol_balance) select id, ${amount}::numeric from u)
    insert into grants (user_id, kind, amount, created_at)
    select id, 'register', ${amount}::numeric, ${at} from u`.execute(db)
}
