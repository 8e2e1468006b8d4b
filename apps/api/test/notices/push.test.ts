import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { notifyPlayers } from '../../src/features/notices/notify-players.ts'
import { createPushDelivery } from '../../src/features/notices/push/deliver-push.ts'
import { takeMessages } from '../../src/features/notices/push/store.ts'
import { mayCall, OutboundCaller, publicOnly } from '../../src/security/outbound.ts'
import { giveNoStickers } from '../support/give-no-stickers.ts'
import { startNameServer } from '../support/name-server.ts'
import { PushBrowser, type PushRequest, type PushServer, startPushServer } from '../support/push-server.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'

/** Longer than the delivery waits for an open transaction, which may belong to another test's database. */
const WAIT = { timeout: 120_000, interval: 50 }

let push: PushServer
let server: TestServer
let devices = 0
beforeAll(async () => {
  push = await startPushServer()
  server = await createTestServer({ hasJobs: true, outbound: push.outbound })
  await giveNoStickers(server.db)
})
afterEach(() => {
  push.answer = () => [201]
})
afterAll(async () => {
  await server?.close()
  await push?.close()
})

async function subscribed(): Promise<{ player: Visitor; browser: PushBrowser }> {
  const player = await server.player()
  const browser = new PushBrowser(`${push.origin}/device-${++devices}`)
  const answer = await player.post('/api/push/subscribe', browser.subscription)
  expect(answer.statusCode, answer.body).toBe(200)
  return { player, browser }
}

/** Pulls the rug of a token that the player holds. */
async function rug(player: Visitor): Promise<void> {
  const creator = await server.player()
  const tokenId = await creator.launch()
  await player.post('/api/tokens/buy', { tokenId, solAmount: '0.01' })
  await creator.post(`/api/tokens/${tokenId}/rug`, {})
}

/** Notifies the player that someone took their rank, like the job that follows the market. */
async function tell(player: Visitor): Promise<void> {
  const userId = await player.id()
  const cause = { kind: 'top3', key: `top3 ${userId}`, tokenId: null, seq: null, detail: { rank: 1 } } as const
  await server.db.transaction().execute((tx) => notifyPlayers(tx, [{ ...cause, userId, actorId: userId }]))
}

const TAKE_ONE = { most: 1, mostRetries: 1, mostOfAccount: 1, underWay: [] }
const sentTo = (browser: PushBrowser): PushRequest[] =>
  push.requests.filter(({ path }) => browser.endpoint.endsWith(path))
const waiting = async () =>
  await server.db.selectFrom('outbox').select(['id', 'attempts', 'last_error', 'message_id']).execute()
const emptied = () => vi.waitFor(async () => expect(await waiting()).toEqual([]), WAIT)
const idOfNotice = async (player: Visitor): Promise<number> => (await player.get('/api/notices')).json().notices[0].id
/** Makes waiting messages due now. */
const hurry = () => sql`update outbox set due_at = now()`.execute(server.db)

describe('a push message', () => {
  it('contains the text of the notice, encrypted for the browser, with the notice’s id', async () => {
    const { player, browser } = await subscribed()
    await rug(player)
    await vi.waitFor(() => expect(sentTo(browser)).toHaveLength(1), WAIT)
    await emptied()
    const [request] = sentTo(browser)
    expect(request?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '43200' })
    const { publicKey } = (await player.get('/api/push')).json()
    expect(request?.headers.authorization).toMatch(new RegExp(`^vapid t=[\\w.-]+, ?k=${publicKey}$`))
    expect(browser.decrypt(request?.body ?? Buffer.alloc(0))).toEqual({
      id: await idOfNotice(player),
      title: 'MOON was rugged',
      body: expect.stringMatching(/ took \d+\.\d{6} SOL/),
      path: expect.stringMatching(/^\/token\/\d+$/),
    })
    expect(sentTo(browser)).toHaveLength(1)
  })

  it('is sent again with the same id if its worker dies between sending and marking', async () => {
    const { player, browser } = await subscribed()
    push.answer = () => [500]
    await tell(player)
    await vi.waitFor(() => expect(sentTo(browser).length).toBeGreaterThan(0), WAIT)
    // Act as the dying worker, which takes the message and does no more. The server may take it first, but cannot
    // deliver it yet.
    await vi.waitFor(async () => {
      await hurry()
      const [taken] = await takeMessages(server.db, { ...TAKE_ONE, againMs: 500 })
      expect(taken?.noticeId).toBe(await idOfNotice(player))
    }, WAIT)
    const before = sentTo(browser).length
    push.answer = () => [201]
    await vi.waitFor(async () => {
      // If a late try of the server postponed the message, make it due now, so that the test does not wait that long.
      await sql`update outbox set due_at = now() where due_at > now() + interval '1 second'`.execute(server.db)
      expect(sentTo(browser).length).toBeGreaterThan(before)
    }, WAIT)
    await emptied()
    const ids = sentTo(browser).map(({ body }) => Object(browser.decrypt(body)).id)
    expect(new Set(ids)).toEqual(new Set([await idOfNotice(player)]))
  })

  it('is sent by only one of two nodes', async () => {
    const { player, browser } = await subscribed()
    const nodes = [1, 2].map(() =>
      createPushDelivery({ ...server.app, platform: { ...server.app.platform, metrics: new Registry() } }),
    )
    await tell(player)
    await vi.waitFor(async () => {
      await Promise.all(nodes.map((node) => node.deliverDue()))
      expect(sentTo(browser).length).toBeGreaterThan(0)
    }, WAIT)
    await emptied()
    expect(sentTo(browser)).toHaveLength(1)
    await Promise.all(nodes.map((node) => node.close()))
  })

  it('is tried again after failures, with the reason stored, and dropped after a day', async () => {
    const { player, browser } = await subscribed()
    push.answer = () => [503, { 'retry-after': '120' }]
    await tell(player)
    await vi.waitFor(async () => expect(await waiting()).toMatchObject([{ attempts: 1, last_error: '503 no' }]), WAIT)
    const readPause = async () => {
      const { rows } = await sql<{ pause: number }>`
        select extract(epoch from due_at - now())::int as pause from outbox`.execute(server.db)
      return rows[0]?.pause
    }
    expect(await readPause()).toBeGreaterThan(100)
    // A service that asks for a shorter pause gets the usual one.
    push.answer = () => [503, { 'retry-after': '1' }]
    await sql`update outbox set attempts = 8`.execute(server.db)
    await hurry()
    await vi.waitFor(() => expect(sentTo(browser)).toHaveLength(2), WAIT)
    expect(await waiting()).toMatchObject([{ attempts: 9 }])
    await vi.waitFor(async () => expect(await readPause()).toBeGreaterThan(600), WAIT)
    await sql`update outbox set created_at = now() - interval '25 hours'`.execute(server.db)
    await emptied()
  })

  it('does not wait for other players’ devices that do not respond', async () => {
    const { player, browser } = await subscribed()
    await tell(player)
    await vi.waitFor(() => expect(sentTo(browser)).toHaveLength(1), WAIT)
    await emptied()
    const silent = await server.player()
    for (let count = 0; count < 10; count++) {
      await silent.post('/api/push/subscribe', new PushBrowser(`${push.origin}/silent-${count}`).subscription)
    }
    const isSilent = ({ path }: PushRequest) => path.startsWith('/silent')
    push.answer = (request) => (isSilent(request) ? new Promise(() => {}) : [201])
    await sql`
      insert into outbox (channel, user_id, target_id, message_id, created_at, due_at)
      select 'push', user_id, id, ${await idOfNotice(player)}, now(), now() from push_devices
       where endpoint = ${browser.endpoint} or endpoint like '%/silent-%' order by endpoint = ${browser.endpoint}`.execute(
      server.db,
    )
    await vi.waitFor(() => expect(sentTo(browser)).toHaveLength(2), WAIT)
    // Only three silent devices of one player are tried at a time. On a slow machine, some may have timed out by now.
    const last = push.requests.indexOf(sentTo(browser)[1] as PushRequest)
    const givenUp = (await waiting()).filter(({ last_error }) => last_error !== null).length
    expect(push.requests.slice(0, last).filter(isSilent).length).toBeLessThanOrEqual(3 + givenUp)
    await server.db.deleteFrom('outbox').execute()
  })

  it('is dropped together with its device: unknown to the push service, unsubscribed, or signed out', async () => {
    const [gone, left, out] = [await subscribed(), await subscribed(), await subscribed()]
    push.answer = () => [410]
    await tell(gone.player)
    await vi.waitFor(async () => expect((await gone.player.get('/api/push')).json().endpoints).toEqual([]), WAIT)
    await left.player.post('/api/push/unsubscribe', { endpoint: left.browser.endpoint })
    await out.player.post('/api/auth/logout', {})
    const rest = await server.db.selectFrom('push_devices').select('endpoint').where('gone_at', 'is', null).execute()
    expect(
      rest.map(({ endpoint }) => endpoint).filter((it) => [gone, left, out].some((by) => by.browser.endpoint === it)),
    ).toEqual([])
    await emptied()
    // The browser still has the old subscription and sends it again.
    const again = await gone.player.post('/api/push/subscribe', gone.browser.subscription)
    expect([again.statusCode, again.body]).toEqual([
      400,
      'endpoint no longer works. Unsubscribe this browser, then subscribe it again.',
    ])
    expect((await gone.player.get('/api/push')).json().endpoints).toEqual([])
  })

  it.each([
    [400, 8, 1],
    [403, 8, 1],
    [403, 7, 0],
    [408, 20, 0],
    [413, 20, 0],
    [429, 20, 0],
    [503, 20, 0],
  ])('ends its device if the service responds with %i at try %i: %i', async (status, tries, ended) => {
    const { player, browser } = await subscribed()
    // No other message is sent during this test, so this response belongs to it.
    const { promise: answered, resolve: onAnswer } = Promise.withResolvers<void>()
    push.answer = () => {
      onAnswer()
      return [status]
    }
    await tell(player)
    await sql`update outbox set attempts = ${tries - 1}, due_at = now()`.execute(server.db)
    await answered
    const isSettled = async () => {
      const { rows } = await sql<{ gone: number; left: number }>`
        select 1 - count(*)::int as gone, (select count(*) from outbox where last_error like ${`${status}%`})::int as left
          from push_devices where endpoint = ${browser.endpoint}`.execute(server.db)
      expect(rows).toEqual([{ gone: ended, left: 1 - ended }])
    }
    await vi.waitFor(isSettled, WAIT)
    await server.db.deleteFrom('outbox').execute()
  })

  it('is not sent if the notice was read meanwhile', async () => {
    const { player, browser } = await subscribed()
    push.answer = () => [503]
    await tell(player)
    await vi.waitFor(() => expect(sentTo(browser)).toHaveLength(1), WAIT)
    await player.post('/api/notices/read', { ids: [await idOfNotice(player)] })
    await vi.waitFor(async () => {
      await hurry()
      expect(await waiting()).toEqual([])
    }, WAIT)
    expect(sentTo(browser)).toHaveLength(1)
  })
})

describe('a device', () => {
  it('belongs to the player who subscribed it last, and a player has at most ten', async () => {
    const { player, browser } = await subscribed()
    const next = await server.player()
    await next.post('/api/push/subscribe', browser.subscription)
    expect((await player.get('/api/push')).json().endpoints).toEqual([])
    expect((await next.get('/api/push')).json().endpoints).toEqual([browser.endpoint])
    for (let count = 0; count < 10; count++) {
      await next.post('/api/push/subscribe', new PushBrowser(`${push.origin}/more-${count}`).subscription)
    }
    const { endpoints } = (await next.get('/api/push')).json()
    expect([endpoints.length, endpoints.includes(browser.endpoint)]).toEqual([10, false])
  })

  it('gets nothing if the operator turned push messages off, and neither do webhooks', async () => {
    const silent = await createTestServer({ hasJobs: false, env: { PUSH: 'off', WEBHOOKS: 'off' } })
    const player = await silent.player()
    expect((await player.get('/api/push')).json()).toEqual({ publicKey: null, endpoints: [] })
    const answer = await player.post('/api/push/subscribe', new PushBrowser('https://push.example.org/1').subscription)
    expect([answer.statusCode, answer.body]).toEqual([422, 'This server does not send push notifications.'])
    const hook = await player.post('/api/webhooks', { url: 'https://a.example/', events: ['rug'] })
    expect([hook.statusCode, hook.body]).toEqual([422, 'This server does not call webhooks.'])
    await silent.close()
  })
})

describe('calls to other servers', () => {
  const PRIVATE = [
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '192.0.2.1'],
    ...['224.0.0.1', '255.255.255.255', '198.18.0.1', '::1', '::', 'fe80::1', 'fd00::1', 'ff02::1', '::ffff:10.0.0.1'],
    ...['::ffff:127.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1', '2001::1', '::10.0.0.1', 'localhost'],
  ]

  it('go to public addresses only', () => {
    expect(PRIVATE.filter((address) => publicOnly.isAllowedAddress(address))).toEqual([])
    expect(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001::1'].every(publicOnly.isAllowedAddress)).toBe(
      true,
    )
  })

  it('require https, the usual port, and no user name', () => {
    const refused = [
      'http://a.example/',
      'https://a.example:444/',
      'https://u@a.example/',
      'https://127.1/',
      'https://[::1]/',
      'x',
    ]
    expect(refused.filter((url) => mayCall(url, publicOnly))).toEqual([])
    expect(mayCall('https://a.example/path', publicOnly)).toBe(true)
  })

  it('check the IP address of a name when they connect', async () => {
    const names = await startNameServer()
    names.answers = { a: () => '127.0.0.1' }
    const nameServers = [names.address]
    const strict = { ...publicOnly, isAllowedPort: () => true, ca: push.outbound.ca ?? '', nameServers }
    const caller = new OutboundCaller(strict)
    const before = push.requests.length
    const call = caller.call({
      url: `https://push.example.org:${push.port}/`,
      method: 'POST',
      headers: {},
      body: Buffer.alloc(0),
    })
    await expect(call).rejects.toThrow('this name leads to no public address')
    expect(push.requests).toHaveLength(before)
    caller.close()
    // The same call succeeds if the rules allow the address.
    const allowed = new OutboundCaller({ ...push.outbound, nameServers })
    const answer = await allowed.call({
      url: `https://push.example.org:${push.port}/`,
      method: 'POST',
      headers: {},
      body: Buffer.alloc(0),
    })
    expect(answer.status).toBe(201)
    allowed.close()
  })
})
