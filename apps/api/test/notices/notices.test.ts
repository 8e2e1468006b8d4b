import type { NoticeKind, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { hide } from '../../src/commands/admin/moderate.ts'
import { findOvertaken } from '../../src/features/leaderboard/watch-top-three.ts'
import { notifyNextPage } from '../../src/features/notices/follow/notify-next-page.ts'
import { recordRugPulls } from '../../src/features/notices/follow/record-causes.ts'
import type { Notice } from '../../src/features/notices/read-notices.ts'
import { giveNoStickers } from '../support/give-no-stickers.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()
await giveNoStickers(server.db)

/** Registers five players, the most that a test uses. */
const fivePlayers = () =>
  Promise.all([server.player(), server.player(), server.player(), server.player(), server.player()])
const holding = async (player: Visitor, tokenId: number): Promise<string> =>
  (await player.get(`/api/tokens/${tokenId}/position`)).json().amount
const readAll = async (player: Visitor): Promise<Record<'notices' | 'news', Notice[]>> =>
  (await player.get('/api/notices')).json()
const read = async (player: Visitor): Promise<{ notices: Notice[]; unread: number }> => {
  const { notices, unread } = (await player.get('/api/notices')).json()
  return { notices, unread }
}
const kinds = async (player: Visitor): Promise<NoticeKind[]> => (await read(player)).notices.map(({ kind }) => kind)

/**
 * Processes all events so far and notifies all holders. It needs two runs, because the first finds only where the
 * journal ends.
 */
async function told(): Promise<void> {
  await server.tick('notices')
  await server.tick('notices')
}

describe('a rug pull', () => {
  it('notifies all holders once, but not its creator or house bots', async () => {
    const [creator, holder, other, gone, house] = await fivePlayers()
    await sql`update users set kind = 'house' where id = ${await house.id()}`.execute(server.db)
    const tokenId = await creator.launch({ initialBuyAmount: '1' })
    for (const player of [holder, gone, house]) await player.buy(tokenId, '1')
    await gone.sell(tokenId, await holding(gone, tokenId))
    await creator.post(`/api/tokens/${tokenId}/rug`, {})
    await told()
    const { notices } = await read(holder)
    const rug = notices.filter(({ kind }) => kind === 'rug')
    expect(rug).toMatchObject([
      {
        times: 1,
        readAt: null,
        token: { id: tokenId, symbol: 'MOON', isRugged: true },
        actor: { id: await creator.id() },
      },
    ])
    expect(rug[0]?.sol).toMatch(/^\d+\.\d+$/)
    for (const player of [creator, other, gone, house]) expect(await kinds(player)).not.toContain('rug')
    // Process the same entries again, as after a crash.
    const again = (tx: Tx) => recordRugPulls(tx, { after: 0, through: 1_000_000_000 })
    expect(await server.db.transaction().execute(again)).toBe(0)
  })

  it('notifies its holders in steps, which can be interrupted and repeat no notice', async () => {
    const creator = await server.player()
    const holders = await Promise.all(Array.from({ length: 5 }, () => server.player()))
    const tokenId = await creator.launch()
    for (const holder of holders) await holder.buy(tokenId, '0.1')
    await told()
    const { rows } = await sql<{ id: number }>`
      insert into notice_causes (key, kind, token_id, actor_id, seq, sol, created_at, last_at, told_to, told_at)
      values ('rug in steps', 'rug', ${tokenId}, ${await creator.id()}, 99, 1, now(), now(), null, null)
      returning id`.execute(server.db)
    const cause = rows[0]?.id
    const count = async () => {
      const found = await server.db
        .selectFrom('notices')
        .select('user_id')
        .where('cause_id', '=', cause ?? 0)
        .execute()
      return found.length
    }
    await sql`update notice_causes set told_to = 0 where id = ${cause}`.execute(server.db)
    // Two nodes take steps at the same time.
    await Promise.all([notifyNextPage(server.db, 2), notifyNextPage(server.db, 2), notifyNextPage(server.db, 2)])
    await told()
    expect(await count()).toBe(5)
    await sql`update notice_causes set told_to = 0, told_at = null where id = ${cause}`.execute(server.db)
    await told()
    expect(await count()).toBe(5)
  })
})

describe('a sale of 1 % or more by a holder of more than 5 %', () => {
  it('notifies the other holders with the share sold, and sales within a while are one notice with a count', async () => {
    const [creator, whale, holder, late] = await fivePlayers()
    const tokenId = await creator.launch()
    await whale.buy(tokenId, '5')
    await holder.buy(tokenId, '0.1')
    await whale.sell(tokenId, '9999999.999999')
    await told()
    expect(await kinds(holder)).toEqual([])
    await whale.sell(tokenId, '10000000')
    await told()
    expect(await kinds(holder)).toEqual(['whale'])
    await late.buy(tokenId, '0.1')
    await whale.sell(tokenId, '10000000')
    await told()
    expect((await read(holder)).notices).toMatchObject([{ kind: 'whale', times: 2, tokens: '20000000' }])
    const { notices } = await read(holder)
    expect(notices).toMatchObject([{ supply: '1000000000', seq: 6, actor: { id: await whale.id() } }])
    expect(await kinds(whale)).toEqual([])
    // A player who bought between the sales gets the notice in the next run for latecomers.
    await sql`update notice_causes set told_at = now() - interval '2 minutes' where told_to is not null`.execute(
      server.db,
    )
    await told()
    expect(await kinds(late)).toEqual(['whale'])
    expect(await kinds(holder)).toEqual(['whale'])
  })

  it('counts the holding before the sale, whatever was traded since', async () => {
    const [creator, whale, small, holder] = await fivePlayers()
    const tokenId = await creator.launch()
    await holder.buy(tokenId, '0.1')
    await whale.buy(tokenId, '5')
    // 5 % of the supply are 50,000,000 tokens.
    await small.buy(tokenId, '4')
    const excess = Number(await holding(small, tokenId)) - 50_000_000
    await small.sell(tokenId, excess.toFixed(6))
    await told()
    await sql`delete from notice_causes`.execute(server.db)
    // The seller holds exactly 5 %, which is not more than 5 %.
    await small.sell(tokenId, '10000000')
    // The seller buys back later, and holds more than 5 % only at the time of the sale.
    await whale.sell(tokenId, await holding(whale, tokenId))
    await told()
    const { notices } = await read(holder)
    expect(notices.map(({ actor }) => actor?.id)).toEqual([await whale.id()])
  })

  it('notifies the holders at that time, not players who bought later', async () => {
    const [creator, whale, holder, after] = await fivePlayers()
    const tokenId = await creator.launch()
    await whale.buy(tokenId, '5')
    await holder.buy(tokenId, '0.1')
    // Pause the job until all trades are made.
    await sql`update notice_position set holder = gen_random_uuid(), held_until = now() + interval '1 minute'`.execute(
      server.db,
    )
    await whale.sell(tokenId, '10000000')
    await holder.sell(tokenId, await holding(holder, tokenId))
    await after.buy(tokenId, '0.1')
    await sql`update notice_position set holder = null`.execute(server.db)
    await told()
    expect([await kinds(holder), await kinds(after)]).toEqual([['whale'], []])
  })
})

describe('a launch', () => {
  const launches = async (player: Visitor) => (await readAll(player)).news.filter(({ kind }) => kind === 'follower')

  it('notifies the creator’s followers, and launches within a while are one notice of the latest', async () => {
    const [creator, follower, silent, stranger] = await fivePlayers()
    for (const player of [follower, silent]) await player.put(`/api/follows/player/${await creator.id()}`, {})
    await silent.put('/api/notices/settings', { muted: [], mutedNews: ['follower'] })
    const first = await creator.launch()
    await told()
    const actor = { id: await creator.id() }
    expect(await launches(follower)).toMatchObject([{ times: 1, token: { id: first }, actor, readAt: null }])
    const latest = await creator.launch()
    await told()
    expect(await launches(follower)).toMatchObject([{ times: 2, token: { id: latest }, actor }])
    await sql`update notice_causes set created_at = now() - interval '11 minutes' where kind = 'follower'`.execute(
      server.db,
    )
    await creator.launch()
    await told()
    expect((await launches(follower)).map(({ times }) => times)).toEqual([1, 2])
    for (const player of [silent, stranger]) expect(await launches(player)).toEqual([])
    expect((await launches(creator)).filter(({ token }) => token !== null)).toEqual([])
  })

  it('notifies many followers in steps, without a repeat', async () => {
    const [creator, ...followers] = await fivePlayers()
    for (const player of followers) await player.put(`/api/follows/player/${await creator.id()}`, {})
    const tokenId = await creator.launch()
    await told()
    await sql`delete from notices where token_id = ${tokenId}`.execute(server.db)
    await sql`update notice_causes set told_to = 0, told_at = null where token_id = ${tokenId}`.execute(server.db)
    for (let step = 0; step < 5; step++) expect(await notifyNextPage(server.db, 1)).toBe(true)
    expect(await notifyNextPage(server.db, 1)).toBe(false)
    for (const player of followers) expect(await launches(player)).toHaveLength(1)
  })
})

describe('a price alert', () => {
  const alert = async (player: Visitor, input: object) => await player.post('/api/alerts', input)

  it('fires once when the price is reached, by price, market cap or percent', async () => {
    const [creator, watcher] = await fivePlayers()
    const tokenId = await creator.launch()
    const made = [
      await alert(watcher, { tokenId, measure: 'percent', value: '+5' }),
      await alert(watcher, { tokenId, measure: 'marketCap', value: '32' }),
      await alert(watcher, { tokenId, measure: 'price', value: '0.000000032', direction: 'above' }),
      await alert(watcher, { tokenId, measure: 'percent', value: '-5' }),
    ]
    expect(made.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(made.map((answer) => [answer.json().direction, answer.json().price])).toEqual([
      ['above', '0.0000000315'],
      ['above', '0.000000032'],
      ['above', '0.000000032'],
      ['below', '0.0000000285'],
    ])
    await creator.buy(tokenId, '1.5')
    await told()
    expect(await kinds(watcher)).toEqual(['alert', 'alert', 'alert'])
    await creator.sell(tokenId, '1000000')
    await creator.buy(tokenId, '1')
    await told()
    const { notices } = await read(watcher)
    expect(notices).toHaveLength(3)
    expect(notices[0]).toMatchObject({ seq: 1, alert: { direction: 'above' }, token: { id: tokenId } })
    const alerts = (await watcher.get('/api/alerts')).json()
    expect(alerts.map((it: { isReached: boolean }) => it.isReached)).toEqual([false, true, true, true])
  })

  it('applies from its creation on, even if the trade that reaches the price was processed before', async () => {
    const [creator, watcher] = await fivePlayers()
    const tokenId = await creator.launch()
    await creator.buy(tokenId, '1')
    await told()
    await sql`
      insert into price_alerts (user_id, token_id, measure, value, direction, price, since_seq, created_at)
      values (${await watcher.id()}, ${tokenId}, 'price', 0.000000031, 'above', 0.000000031, 0, now()),
             (${await watcher.id()}, ${tokenId}, 'price', 0.000000031, 'above', 0.000000031, 1, now())`.execute(
      server.db,
    )
    await told()
    expect(await kinds(watcher)).toEqual(['alert'])
  })

  it('below the price fires with a rug pull, one above ends, and no alert can be created afterwards', async () => {
    const [creator, watcher] = await fivePlayers()
    const tokenId = await creator.launch()
    await alert(watcher, { tokenId, measure: 'percent', value: '-50' })
    await alert(watcher, { tokenId, measure: 'percent', value: '50' })
    await creator.post(`/api/tokens/${tokenId}/rug`, {})
    await told()
    expect(await kinds(watcher)).toEqual(['alert'])
    const alerts = (await watcher.get('/api/alerts')).json()
    expect(alerts).toMatchObject([
      { direction: 'above', isReached: false, doneAt: expect.any(String) },
      { direction: 'below', isReached: true },
    ])
    expect((await alert(watcher, { tokenId, measure: 'percent', value: '50' })).statusCode).toBe(409)
  })

  it('is rejected if the price has already reached it, and beyond fifty', async () => {
    const [creator, watcher] = await fivePlayers()
    const tokenId = await creator.launch()
    const reached = await alert(watcher, { tokenId, measure: 'price', value: '0.00000002', direction: 'above' })
    expect([reached.statusCode, reached.body]).toEqual([
      409,
      'The price has already reached this value. Please choose another value.',
    ])
    const tries = Array.from({ length: 55 }, () => alert(watcher, { tokenId, measure: 'percent', value: '900' }))
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(50)
    expect(statuses.filter((status) => status === 422)).toHaveLength(5)
  })

  it('sends nothing about a hidden token', async () => {
    const [creator, watcher] = await fivePlayers()
    const tokenId = await creator.launch()
    await watcher.buy(tokenId, '0.1')
    await alert(watcher, { tokenId, measure: 'percent', value: '5' })
    await creator.buy(tokenId, '3')
    await alert(watcher, { tokenId, measure: 'percent', value: '-5' })
    await hide(server.database, String(tokenId))
    await creator.sell(tokenId, '50000000')
    await creator.post(`/api/tokens/${tokenId}/rug`, {})
    await told()
    expect(await read(watcher)).toEqual({ notices: [], unread: 0 })
    const { rows } = await sql`
      select from price_alerts where token_id = ${tokenId} and direction = 'below' and done_at is null`.execute(
      server.db,
    )
    expect(rows).toHaveLength(1)
  })
})

describe('a rank in the Top 3', () => {
  it('is lost to players who overtook', () => {
    const [a, b, c, d] = [1, 2, 3, 4] as UserId[] as [UserId, UserId, UserId, UserId]
    expect(findOvertaken([a, b, c], [a, b, c])).toEqual([])
    expect(findOvertaken([], [a, b, c])).toEqual([])
    expect(findOvertaken([a, b, c], [a, b])).toEqual([])
    expect(findOvertaken([a, b, c], [d, a, b])).toEqual([
      { userId: a, rank: 1, rankNow: 2, actorId: d },
      { userId: b, rank: 2, rankNow: 3, actorId: d },
      { userId: c, rank: 3, rankNow: null, actorId: d },
    ])
    expect(findOvertaken([a, b, c], [b, a, c])).toEqual([{ userId: a, rank: 1, rankNow: 2, actorId: b }])
    // The first player left the Top 3. The others moved up, so none of them lost a rank.
    expect(findOvertaken([a, b, c], [b, c])).toEqual([{ userId: a, rank: 1, rankNow: null, actorId: b }])
  })

  it('notifies the player who lost it', async () => {
    const [creator, first, second] = await fivePlayers()
    const tokenId = await creator.launch()
    await first.buy(tokenId, '1')
    await creator.buy(tokenId, '20')
    await first.sell(tokenId, await holding(first, tokenId))
    const look = async () => {
      server.passTime(31_000)
      await server.tick('notices')
      await server.tick('topThree')
    }
    await look()
    const { top_three } = await server.db.selectFrom('notice_position').select('top_three').executeTakeFirstOrThrow()
    expect(top_three?.[0]).toBe(await first.id())
    const other = await creator.launch()
    await second.buy(other, '10')
    await creator.buy(other, '50')
    await second.sell(other, await holding(second, other))
    await look()
    const { notices } = await read(first)
    expect(notices.filter(({ kind }) => kind === 'top3')).toMatchObject([
      { rank: 1, rankNow: 2, actor: { id: await second.id() }, token: null },
    ])
  })
})

describe('notices about one’s own token', () => {
  const news = async (creator: Visitor) => {
    await told()
    return (await readAll(creator)).news.map(({ kind, actor, milestone, sol, tokens }) => ({
      kind,
      by: actor?.username,
      sol,
      tokens,
      milestone: milestone && `${milestone.measure} ${milestone.value}`,
    }))
  }

  it('come for the first buyer and each new holder of more than 1 %, once each', async () => {
    const [creator, small, large] = await fivePlayers()
    const tokenId = await creator.launch({ initialBuyAmount: '1' })
    expect(await news(creator)).toEqual([])
    await small.buy(tokenId, '0.01')
    expect(await news(creator)).toMatchObject([{ kind: 'buyer', sol: '0.01', milestone: null }])
    await small.buy(tokenId, '0.01')
    await large.buy(tokenId, '2')
    const held = await holding(large, tokenId)
    expect(await news(creator)).toMatchObject([{ kind: 'holder', tokens: held }, { kind: 'buyer' }])
    await large.sell(tokenId, held)
    await told()
    await large.buy(tokenId, '2')
    expect((await news(creator)).map(({ kind }) => kind)).toEqual(['holder', 'buyer'])
    expect(await news(large)).toEqual([])
  })

  it('come for milestones that others’ SOL reached and not the creator’s, once for the highest', async () => {
    const [creator, other] = await fivePlayers()
    const tokenId = await creator.launch({ initialBuyAmount: '60' })
    await other.buy(tokenId, '0.001')
    expect((await news(creator)).map(({ kind }) => kind)).toEqual(['buyer'])
    await creator.sell(tokenId, await holding(creator, tokenId))
    await other.buy(tokenId, '30')
    const milestones = async () => (await news(creator)).flatMap(({ milestone }) => milestone ?? [])
    // A buy of 30 SOL into an empty pool makes the market cap 120 SOL.
    expect(await milestones()).toEqual(['marketCap 100'])
    await other.sell(tokenId, await holding(other, tokenId))
    await told()
    await other.buy(tokenId, '30')
    expect(await milestones()).toEqual(['marketCap 100'])
  })

  it('count holders other than the creator', async () => {
    const creator = await server.player()
    const tokenId = await creator.launch({ initialBuyAmount: '1' })
    const others = await Promise.all(Array.from({ length: 10 }, () => server.player()))
    const [tenth, ...nine] = others as [Visitor, ...Visitor[]]
    for (const other of nine) await other.buy(tokenId, '0.001')
    expect((await news(creator)).filter(({ milestone }) => milestone !== null)).toEqual([])
    await tenth.buy(tokenId, '0.001')
    expect((await news(creator))[0]).toMatchObject({ kind: 'milestone', milestone: 'holders 10' })
  })

  it('do not come for a muted kind, and an older client that changes other kinds keeps it muted', async () => {
    const [creator, other] = await fivePlayers()
    const mute = async (body: object) => (await creator.put('/api/notices/settings', body)).json()
    await mute({ muted: [], mutedNews: ['buyer'] })
    expect(await mute({ muted: ['whale'] })).toMatchObject({ muted: ['whale'], mutedNews: ['buyer'] })
    await other.buy(await creator.launch(), '0.01')
    expect(await news(creator)).toEqual([])
  })

  it('about new holders come at most ten times an hour', async () => {
    const creator = await server.player()
    const userId = await creator.id()
    await sql`
      with cause as (
        insert into notice_causes (key, kind, created_at, last_at)
        select 'told ' || n, 'holder', now(), now() from generate_series(1, 10) n returning id)
      insert into notices (user_id, cause_id, kind, created_at) select ${userId}, id, 'holder', now() from cause`.execute(
      server.db,
    )
    const tokenId = await creator.launch()
    await (await server.player()).buy(tokenId, '2')
    await told()
    expect((await readAll(creator)).news.filter(({ kind }) => kind === 'holder')).toHaveLength(10)
  })
})

describe('notices', () => {
  async function rugged(player: Visitor, times = 1): Promise<number[]> {
    const creator = await server.player()
    const tokenIds: number[] = []
    for (let count = 0; count < times; count++) {
      const tokenId = await creator.launch()
      await player.buy(tokenId, '0.01')
      await creator.post(`/api/tokens/${tokenId}/rug`, {})
      tokenIds.push(tokenId)
    }
    await told()
    return tokenIds
  }

  it('can be marked as read one by one, only by their player', async () => {
    const [player, other] = await fivePlayers()
    await rugged(player, 2)
    const { notices, unread } = await read(player)
    expect([notices.length, unread]).toEqual([2, 2])
    const ids = notices.map(({ id }) => id)
    await other.post('/api/notices/read', { ids })
    expect((await read(player)).unread).toBe(2)
    const answer = await player.post('/api/notices/read', { ids: ids.slice(0, 1) })
    expect(answer.json()).toEqual({ unread: 1 })
    expect((await read(player)).notices.map(({ readAt }) => readAt !== null)).toEqual([true, false])
  })

  it('of a muted kind are not sent', async () => {
    const player = await server.player()
    const set = await player.put('/api/notices/settings', JSON.parse('{"muted":["rug","rug"]}'))
    expect(set.json()).toEqual({ muted: ['rug'], mutedNews: [], reminderHour: null, reminderByMail: false })
    await rugged(player)
    expect(await read(player)).toEqual({ notices: [], unread: 0 })
    expect((await player.get('/api/notices/settings')).json()).toEqual({
      muted: ['rug'],
      mutedNews: [],
      reminderHour: null,
      reminderByMail: false,
    })
  })

  it('are stored for each player up to a hundred, the newest', async () => {
    const player = await server.player()
    const userId = await player.id()
    await sql`
      with cause as (
        insert into notice_causes (key, kind, created_at, last_at)
        select 'many ' || n, 'rug', now(), now() from generate_series(1, 150) n returning id)
      insert into notices (user_id, cause_id, kind, created_at) select ${userId}, id, 'rug', now() from cause`.execute(
      server.db,
    )
    await rugged(player)
    const { notices } = await read(player)
    const kept = await server.db.selectFrom('notices').select('id').where('user_id', '=', userId).execute()
    expect([notices.length, kept.length, notices[0]?.token?.symbol]).toEqual([100, 100, 'MOON'])
  })
})
