import { systemTimers, type TokenId, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findResults } from '../../src/features/fairs/ranking.ts'
import { updateRatings } from '../../src/features/fairs/rating.ts'
import { getRecord } from '../../src/features/fairs/record.ts'
import { computeResults } from '../../src/features/fairs/results.ts'
import { findEndedFairs } from '../../src/features/fairs/store.ts'
import { readFeed } from '../../src/features/follows/feed.ts'
import { getAllTimeBoard, getCreatorsBoard, getRugBoard } from '../../src/features/leaderboard/boards/get-boards.ts'
import { getBotsLeague } from '../../src/features/leaderboard/bots-league.ts'
import { getLeaderboard } from '../../src/features/leaderboard/get.ts'
import { closeOpenWindows } from '../../src/features/leaderboard/giveaway/close-window.ts'
import { giveawayWindow, objectionsTo } from '../../src/features/leaderboard/giveaway/giveaway-window.ts'
import { findWinners } from '../../src/features/leaderboard/giveaway/window-store.ts'
import { getRank } from '../../src/features/leaderboard/rank.ts'
import { readPosts } from '../../src/features/talk/read-posts.ts'
import { createFairMarket, type FairMarket } from '../support/fair-market.ts'
import { createTurnedMarket, type TurnedMarket } from '../support/turned-market.ts'

let market: TurnedMarket
let arena: FairMarket
let fairId: number
let [one, two, loser, entrant]: UserId[] = []
const id = (player: UserId | undefined) => player as UserId
const platform = () => ({ ...market.platform, timers: systemTimers, log: pino({ level: 'silent' }) })
const app = () => ({ platform: platform(), market: market.market }) as never
const window = giveawayWindow(new Date('2026-01-05T12:00:00Z'))

beforeAll(async () => {
  market = await createTurnedMarket()
  ;[one, two, loser] = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()]
  const tokenId = await market.launch(id(two))
  await market.buy(id(one), tokenId, '5')
  const [backed, rugged] = [await market.launch(id(one)), await market.launch(id(one))]
  for (const [token, most] of [
    [tokenId, '40'],
    [backed, '8'],
    [rugged, '8'],
  ] as [TokenId, string][]) {
    await market.buy(id(two), token, '5')
    await market.buy(id(loser), token, most)
  }
  await market.sellAll(id(one), tokenId)
  await market.rug(id(one), rugged)
  arena = await createFairMarket()
  fairId = await arena.openFair({ stake: '10' })
  entrant = await arena.addEntrant(fairId)
  const traded = await arena.launch(fairId, entrant)
  await arena.buy(entrant, traded, '9.9')
  await arena.sell(entrant, traded, '100000000')
  await addMedal(tokenId)
})
afterAll(async () => {
  await market?.close()
  await arena?.close()
})

/** Adds an arena that `one` has won, and a post of `one`. */
async function addMedal(tokenId: TokenId): Promise<void> {
  const at = market.clock.now()
  const { rows } = await sql<{ id: number }>`
    insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, bell_at, settled_at, state, secret, entrants_max)
    values ('arena', 'Arena', 10, ${at}, ${at}, ${at}, ${at}, ${new Date(at.getTime() - 1)}, 'settled', ${Buffer.alloc(32)}, 9)
    returning id`.execute(market.db)
  const arenaId = rows[0]?.id ?? 0
  await sql`
    insert into fair_results (fair_id, user_id, place, standing, score, is_ranked, is_bot, has_left, trades, medal)
    values (${arenaId}, ${one}, 1, 10, 10, true, false, false, 1, 1), (${arenaId}, ${two}, 2, 9, 9, true, false, false, 1, 2)
  `.execute(market.db)
  await market.db.transaction().execute((tx) => updateRatings(tx, arenaId))
  await sql`insert into posts (topic, user_id, text, skeleton, created_at)
    values (${tokenId}, ${one}, 'gm', 0, ${at})`.execute(market.db)
  await sql`insert into follows (user_id, kind, target_id, created_at) values (${two}, 'player', ${one}, ${at})`.execute(
    market.db,
  )
}

const hasOne = (rows: readonly { readonly userId: number }[]) => rows.some(({ userId }) => userId === one)
const BOARDS: Record<string, () => Promise<boolean>> = {
  'the Top 3': async () => hasOne(await getLeaderboard(app())),
  'the rank of a player': async () => (await getRank(app(), id(one))).rank === 1,
  'the league of bots': async () => {
    const set = (kind: 'bot' | 'player') =>
      market.db.updateTable('users').set({ kind }).where('id', '=', id(one)).execute()
    await set('bot')
    const league = await getBotsLeague(app())
    await set('player')
    return hasOne(league)
  },
  'the all-time board': async () => hasOne(await getAllTimeBoard(app())),
  'the board of creators': async () => hasOne(await getCreatorsBoard(app())),
  'the board of rug pulls': async () => hasOne((await getRugBoard(app())).map(({ creator }) => creator)),
  'the standings of a fair': async () => {
    const { entrants } = await computeResults(arena.fairs, fairId)
    return entrants.some(({ userId, isRanked }) => userId === entrant && isRanked)
  },
  'the medals of a profile': async () => (await getRecord(app(), id(one))).medals.gold === 1,
  'the medals of a fair': async () => {
    const { rows } = await sql<{ fair_id: number }>`select fair_id from fair_results limit 1`.execute(market.db)
    const results = await findResults(market.db as never, rows[0]?.fair_id ?? 0)
    return results.some(({ userId, medal }) => userId === one && medal === 1)
  },
  'the winners in the list of fairs': async () =>
    (await findEndedFairs(market.db, null, { before: null, limit: 5 })).some(({ winner }) => winner !== null),
  'the medals beside a post': async () => {
    const [post] = await readPosts(market.db, { where: sql`p.user_id = ${one}`, order: sql`p.id`, limit: 1 })
    return post?.medals[0] === 1
  },
  'the medals in a feed': async () =>
    (await readFeed({ app: app(), ip: '127.0.0.1' } as never, id(two), { limit: 50 })).some(
      ({ kind }) => kind === 'medal',
    ),
  'the rating of fairs': async () => (await getRecord(app(), id(one))).rating !== null,
}

async function setStanding(standing: 'active' | 'suspended' | 'frozen'): Promise<void> {
  for (const [{ db }, userId] of [
    [market, one],
    [arena.database, entrant],
  ] as const)
    await db.updateTable('users').set({ standing }).where('id', '=', id(userId)).execute()
}

it.each(Object.entries(BOARDS))(
  '%s omits suspended and frozen accounts, and shows them again later',
  async (_, isOn) => {
    const seen = []
    for (const standing of ['active', 'suspended', 'frozen', 'active'] as const) {
      await setStanding(standing)
      seen.push(await isOn())
    }
    expect(seen).toEqual([true, false, false, true])
  },
)

it('a giveaway records no suspended winner, and marks a recorded winner who is suspended later', async () => {
  await setStanding('suspended')
  market.passTime(window.until.getTime() + 3_600_000 - market.clock.now().getTime())
  await closeOpenWindows({ platform: platform() })
  await setStanding('active')
  expect((await findWinners(market.db, window.since)).map(({ user_id }) => user_id)).not.toContain(one)
  expect(
    objectionsTo(
      {
        may_rank: false,
        account_created_at: new Date(0),
        wallet_accounts: 1,
        browser_accounts: 1,
        source_percent: null,
        source_shares_browser: false,
      },
      window,
    ),
  ).toEqual(['the account is suspended'])
})
