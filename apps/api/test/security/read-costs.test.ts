import { procedures } from '@papermoon/contract'
import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { readPosition } from '../../src/events/journal.ts'
import { getBadInputRow } from '../support/bad-input.ts'
import { fillMarket } from '../support/bulk-market.ts'
import { makeRoom } from '../support/fairs.ts'
import { countPages } from '../support/statements.ts'
import { shareTestServer } from '../support/test-server.ts'

/**
 * Max number of 8 KB pages that a query may touch per counted read, with its largest input in the market below. It is
 * infinite if the query cache shares one response among all callers. Reads of history and lists wait in the queue that
 * is fair between networks.
 */
const BOUNDS: readonly (readonly [pages: number, paths: string])[] = [
  [
    200,
    `
    account.events alerts.list auth.me fairs.bag fairs.get fairs.league fairs.list fairs.ranking fairs.record fairs.replay
    fairs.story fairs.tokens fairs.trades follows.list follows.of history.candles history.trades keys.list
    leaderboard.creators leaderboard.get leaderboard.rugs notices.list notices.settings orders.get orders.list
    passkeys.list past.at past.bag past.chart past.moment past.steps portfolio.dashboard portfolio.get
    portfolio.history portfolio.netWorth portfolio.summary portfolio.welcome proof.chain proof.checkpoints proof.heads proof.headsAt
    proof.seals push.state reports.acts reports.mine search.everything secondFactor.status security.email
    security.sessions site.parameters site.settings stickers.list talk.court talk.list talk.thread tape.result
    tape.today tokens.byIds tokens.chart tokens.figures tokens.get tokens.holders tokens.markedTrades
    tokens.rugStory tokens.tape tokens.trades trading.position trading.quote users.closedPosition users.closedWin
    users.houseBot users.launchRecord users.profile users.results users.trades waitingOrders.depth
    waitingOrders.list watchlist.get webhooks.list`,
  ],
  [500, 'tokens.list follows.feed'],
  [Number.POSITIVE_INFINITY, 'tokens.movers leaderboard.rank leaderboard.bots leaderboard.allTime proof.summary'],
]
const bounds = new Map(
  BOUNDS.flatMap(([pages, paths]) =>
    paths
      .trim()
      .split(/\s+/)
      .map((path) => [path, pages] as const),
  ),
)
const reads = [...procedures].filter(([, { type, role }]) => type === 'query' && role === undefined)

const database = await createTestDatabase()
await fillMarket(database, { players: 600, tokens: 300, trades: 12_000 })
const server = await shareTestServer({ database, hasJobs: false })
server.passToNoon()
const player = await server.player('reader')
const userId = await player.id()
const { id: fairId } = await makeRoom(player)
await sql`
  with f as (insert into follows (user_id, kind, target_id, created_at)
    select ${userId}::int, 'player', n, now() from generate_series(1, 250) n union all
    select ${userId}::int, 'token', n, now() from generate_series(1, 250) n union all
    select n, 'player', 1, now() - n * interval '1 s' from generate_series(2, 600) n)
  insert into posts (topic, user_id, text, skeleton, created_at, state)
    select 1 + n % 50, 1 + n % 20, 'said ' || n, n, now() - n * interval '1 s', 'shown' from generate_series(1, 3000) n`.execute(
  server.db,
)
await sql`alter table trades disable trigger user`.execute(server.db)
await sql`update trades set created_at = now() - (20000 - id) * interval '1 s'`.execute(server.db)
// Catch up now, so that no poll reads the rows during a test.
await server.app.live.feed.catchUp(await readPosition(server.db))
await sql`vacuum (analyze)`.execute(server.db)
// Create the daily game now, because the first read of a day creates it.
await player.query('tape.today', {})

/** Returns a valid input for the largest objects, with the longest page. */
function getLargest(path: string): object {
  const { input } = procedures.get(path) ?? {}
  const schema = input == null ? {} : (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {})
  const { maximum } = Object(Object(schema).limit)
  const own = { id: path.startsWith('fairs.') ? fairId : 1, userId: path === 'portfolio.get' ? userId : 1, tokenId: 1 }
  const { valid } = getBadInputRow(path)
  const named = Object.entries(own).filter(([name]) => name in valid && typeof valid[name] === 'number')
  return { ...valid, ...Object.fromEntries(named), ...(maximum !== undefined && { limit: maximum }) }
}

it('measures every query', () => {
  expect(
    reads.map(([path]) => path).filter((path) => !bounds.has(path)),
    'name it in BOUNDS',
  ).toEqual([])
})

it.each(reads.map(([path]) => path))('%s costs about as much as it counts', async (path) => {
  const spend = vi.spyOn(server.app.accounts.limits, 'spend')
  let status = 0
  const pages = await countPages(async () => {
    status = (await player.query(path, getLargest(path))).statusCode
  })
  const counted = spend.mock.calls.reduce((sum, [, limit, calls = 1]) => sum + (limit === 'read' ? calls : 0), 0)
  spend.mockRestore()
  const bound = bounds.get(path) ?? 0
  expect(status).toBeLessThan(500)
  expect(pages / counted).toBeLessThanOrEqual(bound)
  if (bound === Number.POSITIVE_INFINITY) expect(procedures.get(path)?.cached).toBe(true)
})
