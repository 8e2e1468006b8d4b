import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { computePause } from '../../src/features/notices/outbox.ts'
import { createWebhookDelivery } from '../../src/features/notices/webhooks/delivery/deliver-webhooks.ts'
import { takeMessages } from '../../src/features/notices/webhooks/delivery/queue.ts'
import { webhookData } from '../../src/features/notices/webhooks/delivery/read-events.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { openEventSource } from '../support/event-source.ts'
import type { Visitor } from '../support/test-server.ts'
import { type Made, openWebhooks, type ReceivedCall } from '../support/webhook-receiver.ts'

const { receiver, names, server, make, show, becomes, callsTo, messagesTo, eventsAt, idsAt, eventually, verified } =
  await openWebhooks(['trade', 'launch', 'rug', 'fill'])

const list = async (player: Visitor) => (await player.get('/api/webhooks')).json()
const arrive = (made: Made, ids: readonly string[]) =>
  eventually(() => expect([...new Set(idsAt(made))].sort()).toEqual([...ids].sort()))

async function buy(player: Visitor, tokenId: number, solAmount = '0.01'): Promise<string> {
  const answer = await player.post('/api/tokens/buy', { tokenId, solAmount })
  expect(answer.statusCode, answer.body).toBe(200)
  const row = await server.db
    .selectFrom('pools')
    .select('seq')
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow()
  return `${tokenId}-${row.seq}`
}
/** Creates a token and a verified webhook that gets the token's trades. */
async function openTrades() {
  const [player, trader] = [await server.player(), await server.player()]
  const tokenId = await trader.launch()
  return { player, trader, tokenId, made: await verified(player, { events: ['trade'], tokenIds: [tokenId] }) }
}
/** Makes waiting messages due at once. */
const hurry = () => sql`update outbox set due_at = now() where channel = 'webhook'`.execute(server.db)
const waiting = async () =>
  await server.db.selectFrom('outbox').select(['id', 'attempts', 'last_error', 'target_id']).execute()
/** Verifies as a receiver would: throws for a wrong signature or an old message. */
const verify = (call: ReceivedCall | undefined, secret: string) =>
  new Verifier(secret).verify(call?.text ?? '', call?.headers as Record<string, string>)

describe('an address', () => {
  it('gets no events before it has answered its challenge, which is signed too', async () => {
    receiver.answerChallenge = () => [200, 'hello']
    const player = await server.player()
    const made = await make(player)
    await becomes(player, made.id, { status: 'pending', lastStatus: 200, lastError: 'challenge' })
    // Delays the next challenge, so that only the test message below causes one.
    await sql`update outbox set due_at = now() + interval '1 hour'`.execute(server.db)
    const tokenId = await player.launch()
    await buy(player, tokenId)
    receiver.answerChallenge = (challenge) => [200, `${challenge}\n`]
    await player.post(`/api/webhooks/${made.id}/test`, {})
    await becomes(player, made.id, { status: 'active', lastStatus: 200, lastError: null })
    expect(callsTo(made).map(({ text }) => JSON.parse(text).type)).toEqual(['challenge', 'challenge'])
    expect(verify(callsTo(made)[0], made.secret)).toMatchObject({ type: 'challenge', data: { webhookId: made.id } })
    const next = await buy(player, tokenId)
    await eventually(() => expect(idsAt(made)).toContain(`trade-${next}`))
  })

  it('gets five challenges, and after that only those that the player requests', async () => {
    receiver.answerChallenge = () => [404]
    const player = await server.player()
    const made = await make(player)
    await eventually(async () => {
      await hurry()
      expect(await waiting()).toEqual([])
    })
    expect(callsTo(made)).toHaveLength(5)
    expect(await show(player, made.id)).toMatchObject({ status: 'pending', lastStatus: 404 })
  })

  it('belongs to one player at a time, and a player may have five', async () => {
    const [player, other] = [await server.player(), await server.player()]
    const made = await verified(player)
    const again = await player.post('/api/webhooks', { url: `${receiver.origin}${made.path}`, events: ['rug'] })
    expect([again.statusCode, again.body]).toEqual([409, 'You already have a webhook with this URL.'])
    const theirs = await other.post('/api/webhooks', { url: `${receiver.origin}${made.path}`, events: ['rug'] })
    await becomes(other, theirs.json().id, { status: 'pending', lastError: 'taken' })
    for (let count = 1; count < 5; count++) await make(player)
    const sixth = await player.post('/api/webhooks', { url: `${receiver.origin}/sixth`, events: ['rug'] })
    expect([sixth.statusCode, sixth.body]).toEqual([
      422,
      'You already have 5 webhooks. Please remove one of them first.',
    ])
  })

  it('is removed together with its waiting messages, and only by its player', async () => {
    const [player, other] = [await server.player(), await server.player()]
    const made = await verified(player)
    expect((await other.raw('DELETE', `/api/webhooks/${made.id}`, '')).statusCode).toBe(404)
    expect((await other.post(`/api/webhooks/${made.id}/test`, {})).statusCode).toBe(404)
    expect((await other.post(`/api/webhooks/${made.id}/secret`, {})).statusCode).toBe(404)
    receiver.answer = () => [500]
    await buy(player, await player.launch())
    await becomes(player, made.id, { status: 'failing', lastStatus: 500 })
    expect((await player.raw('DELETE', `/api/webhooks/${made.id}`, '')).statusCode).toBe(200)
    expect([await list(player), await waiting()]).toEqual([[], []])
    const events = (await player.get('/api/account/events')).json().map(({ kind }: { kind: string }) => kind)
    expect(events).toEqual(expect.arrayContaining(['webhook_added', 'webhook_removed']))
  })
})

describe('events', () => {
  it('are signed, have ids, and come only from the chosen tokens', async () => {
    const [player, trader] = [await server.player(), await server.player()]
    const [chosen, other] = [await trader.launch(), await trader.launch()]
    const made = await verified(player, { events: ['trade', 'rug'], tokenIds: [chosen] })
    await buy(trader, other)
    const ids = [await buy(trader, chosen), await buy(player, chosen)]
    await trader.post(`/api/tokens/${chosen}/rug`, {})
    await arrive(made, [...ids.map((id) => `trade-${id}`), `rug-${chosen}`])
    expect(eventsAt(made).find(({ id }) => id === `trade-${ids[0]}`)).toMatchObject({
      type: 'trade',
      data: { tokenId: chosen, side: 'buy', solAmount: '0.01', symbol: 'MOON', name: expect.any(String) },
    })
    for (const call of callsTo(made)) verify(call, made.secret)
    const forged = { ...callsTo(made)[0], text: '{}' } as ReceivedCall
    expect(() => verify(forged, made.secret)).toThrow('No matching signature found')
  })

  it('have the data of the event stream, and trades also have their properties at the top level', async () => {
    const [player, trader] = [await server.player(), await server.player()]
    const made = await verified(player, { events: ['trade', 'launch', 'rug'] })
    const source = await openEventSource(`http://127.0.0.1:${await server.listen()}/api/events`)
    await source.until(() => source.lastId() !== '')
    const tokenId = await trader.launch({ initialBuyAmount: '1' })
    await trader.post(`/api/tokens/${tokenId}/rug`, {})
    await arrive(made, [`launch-${tokenId}`, `trade-${tokenId}-1`, `rug-${tokenId}`])
    await source.at(2)
    source.close()
    for (const {
      type,
      data: { holding: _, ...data },
    } of source.events) {
      const event = eventsAt(made).find((it) => it.type === type)
      const schema = webhookData[type as keyof typeof webhookData]
      expect(schema.strict().parse(event?.data)).toEqual(event?.data)
      expect(event?.data).toEqual({ ...data.trade, ...data })
      expect(event).toMatchObject({ timestamp: data.trade?.createdAt ?? data.createdAt })
    }
  })

  it('include one’s own fills, launches of all tokens, and notices', async () => {
    const [player, creator] = [await server.player(), await server.player()]
    const made = await verified(player, { events: ['fill', 'launch', 'notice.rug'] })
    const tokenId = await creator.launch()
    await buy(creator, tokenId)
    const fill = await buy(player, tokenId, '0.1')
    await creator.post(`/api/tokens/${tokenId}/rug`, {})
    await eventually(() => expect(idsAt(made)).toHaveLength(3))
    const { notices } = (await player.get('/api/notices')).json()
    expect(idsAt(made).sort()).toEqual([`fill-${fill}`, `launch-${tokenId}`, `notice-${notices[0].id}`])
    expect(eventsAt(made).find(({ type }) => type === 'notice.rug')?.data).toMatchObject({
      kind: 'rug',
      title: 'MOON was rugged',
    })
  })

  it('come in batches, each once and in order, in at most ten messages a second', { tags: 'nightly' }, async () => {
    const { trader, tokenId, made } = await openTrades()
    const ids: string[] = []
    // Keeps the webhook busy, so that the first ten events form a batch however long a buy takes.
    await sql`update webhooks set busy_until = now() + interval '1 hour' where id = ${made.id}`.execute(server.db)
    for (let count = 0; count < 10; count++) ids.push(`trade-${await buy(trader, tokenId, '0.001')}`)
    await sql`update webhooks set busy_until = now() where id = ${made.id}`.execute(server.db)
    for (let count = 10; count < 60; count++) ids.push(`trade-${await buy(trader, tokenId, '0.001')}`)
    await eventually(() => expect(idsAt(made)).toHaveLength(60))
    expect(idsAt(made)).toEqual(ids)
    const readPause = sql<{ ms: number }>`
      select round(extract(epoch from busy_until - last_at) * 1000)::int as ms from webhooks where id = ${made.id}`
    // The delivery is recorded only after the receiver has got the message.
    await eventually(async () => expect((await readPause.execute(server.db)).rows).toEqual([{ ms: 100 }]))
    expect(messagesTo(made).length).toBeLessThan(60)
  })

  it('of a hidden token are not sent', async () => {
    const [player, trader] = [await server.player(), await server.player()]
    const [hidden, shown] = [await trader.launch(), await trader.launch()]
    const made = await verified(player, { events: ['trade'] })
    await sql`update webhooks set busy_until = now() + interval '1 hour'`.execute(server.db)
    await buy(trader, hidden)
    await sql`update tokens set hidden_at = now() where id = ${hidden}`.execute(server.db)
    const seen = await buy(trader, shown)
    await sql`update webhooks set busy_until = now()`.execute(server.db)
    await arrive(made, [`trade-${seen}`])
    expect(
      (await player.post('/api/webhooks', { url: `${receiver.origin}/x`, events: ['trade'], tokenIds: [hidden] }))
        .statusCode,
    ).toBe(404)
  })
})

describe('a message', () => {
  it('is sent again with the same id and events after a failure, while later messages wait', async () => {
    const { player, trader, tokenId, made } = await openTrades()
    receiver.answer = () => [500]
    const first = await buy(trader, tokenId)
    await becomes(player, made.id, { status: 'failing', lastStatus: 500, nextAt: expect.any(String) })
    const second = await buy(trader, tokenId)
    receiver.answer = () => [200]
    await hurry()
    await arrive(made, [`trade-${first}`, `trade-${second}`])
    // On a slow machine, the message fails more than once.
    const [failed, ...others] = callsTo(made).slice(1)
    const isRepeat = ({ headers }: ReceivedCall) => headers['webhook-id'] === failed?.headers['webhook-id']
    const [repeats, next] = [others.slice(0, -1), others.at(-1)]
    expect(repeats.length).toBeGreaterThan(0)
    expect(repeats.every((call) => isRepeat(call) && call.text === failed?.text)).toBe(true)
    expect(next && isRepeat(next)).toBe(false)
    await becomes(player, made.id, { status: 'active', failingSince: null, nextAt: null })
  })

  it('is neither lost when its worker dies nor sent by two nodes', async () => {
    const { player, trader, tokenId, made } = await openTrades()
    receiver.answer = () => [500]
    const first = await buy(trader, tokenId)
    await becomes(player, made.id, { status: 'failing' })
    // Plays the worker that dies: takes the message, and does nothing with it.
    await hurry()
    await eventually(async () => {
      await hurry()
      expect(await takeMessages(server.db, 5)).toMatchObject([{ hook: { id: made.id } }])
    })
    receiver.answer = () => [204]
    const before = callsTo(made).length
    const nodes = [1, 2, 3].map(() =>
      createWebhookDelivery({ ...server.app, platform: { ...server.app.platform, metrics: new Registry() } }),
    )
    await Promise.all(nodes.map((node) => node.deliverDue()))
    expect(callsTo(made)).toHaveLength(before)
    // Ends the time for which the dead worker had reserved the webhook.
    await sql`update webhooks set busy_until = now()`.execute(server.db)
    await hurry()
    await Promise.all(nodes.map((node) => node.deliverDue()))
    const second = await buy(trader, tokenId)
    await eventually(async () => {
      await Promise.all(nodes.map((node) => node.deliverDue()))
      expect(new Set(idsAt(made).slice(before - 1))).toEqual(new Set([`trade-${first}`, `trade-${second}`]))
    })
    await becomes(player, made.id, { status: 'active' })
    expect(idsAt(made).slice(before - 1)).toHaveLength(2)
    await Promise.all(nodes.map((node) => node.close()))
  })

  it('is given up after a day, and a successful test then restarts the webhook and reports missed events', async () => {
    const { player, trader, tokenId, made } = await openTrades()
    receiver.answer = () => [503]
    await buy(trader, tokenId)
    await becomes(player, made.id, { status: 'failing' })
    await sql`update outbox set created_at = now() - interval '25 hours', due_at = now() where channel = 'webhook'`.execute(
      server.db,
    )
    await becomes(player, made.id, { status: 'stopped', missed: 1, lastStatus: 503 })
    expect(await waiting()).toEqual([])
    const events = (await player.get('/api/account/events')).json()
    expect(events[0]).toMatchObject({ kind: 'webhook_stopped', detail: { host: expect.stringMatching(/^127/) } })
    const later = await buy(trader, tokenId)
    await player.post(`/api/webhooks/${made.id}/test`, {})
    await becomes(player, made.id, { status: 'stopped', lastStatus: 503 })
    receiver.answer = () => [204]
    await eventually(async () => {
      await player.post(`/api/webhooks/${made.id}/test`, {})
      expect(await show(player, made.id)).toMatchObject({ status: 'active', missed: 0 })
    })
    await eventually(() => expect(messagesTo(made).at(-1)?.data).toMatchObject({ missed: 1 }))
    expect(idsAt(made).at(-1)).toBe(`trade-${later}`)
  })

  it('is not given up because of time in which it could not be sent', async () => {
    const { player, trader, tokenId, made } = await openTrades()
    const id = await player.id()
    receiver.answer = () => [503]
    const trade = await buy(trader, tokenId)
    await becomes(player, made.id, { status: 'failing' })
    await sql`update users set standing = 'suspended' where id = ${id}`.execute(server.db)
    const before = callsTo(made).length
    // The message was due again an hour after its first try, and has waited for two days since.
    await sql`
      update outbox set created_at = now() - interval '49 hours', due_at = now() - interval '48 hours', attempts = 1
       where channel = 'webhook'`.execute(server.db)
    await sql`update users set standing = 'active' where id = ${id}`.execute(server.db)
    await eventually(() => expect(callsTo(made).length).toBeGreaterThan(before))
    await becomes(player, made.id, { status: 'failing', missed: 0, nextAt: expect.any(String) })
    receiver.answer = () => [204]
    await hurry()
    await arrive(made, [`trade-${trade}`])
    await becomes(player, made.id, { status: 'active' })
  })

  it('leaves out events that are older than a day, and says how many', async () => {
    const { trader, tokenId, made } = await openTrades()
    await sql`update webhooks set busy_until = now() + interval '1 hour'`.execute(server.db)
    for (let count = 0; count < 3; count++) await buy(trader, tokenId)
    await sql`update trades set created_at = now() - interval '25 hours' where token_id = ${tokenId}`.execute(server.db)
    const fresh = await buy(trader, tokenId)
    await eventually(async () => {
      const { rows } = await sql`
        select from notice_position where trade_id = (select max(id) from trades)`.execute(server.db)
      expect(rows).toHaveLength(1)
    })
    await sql`update webhooks set busy_until = now()`.execute(server.db)
    await arrive(made, [`trade-${fresh}`])
    expect(messagesTo(made).at(-1)?.data.missed).toBe(3)
  })

  it('stops its webhook if the receiver responds with 410 Gone', async () => {
    const player = await server.player()
    const tokenId = await player.launch()
    const made = await verified(player, { events: ['fill'] })
    receiver.answer = () => [410]
    await buy(player, tokenId)
    await becomes(player, made.id, { status: 'stopped', lastStatus: 410 })
  })

  it('is signed with both secrets for a day after a rotation', async () => {
    const player = await server.player()
    const made = await verified(player)
    const { secret, oldSecretUntil } = (await player.post(`/api/webhooks/${made.id}/secret`, {})).json()
    expect(secret).not.toBe(made.secret)
    await player.post(`/api/webhooks/${made.id}/test`, {})
    await eventually(() => expect(messagesTo(made, 'ping')).toHaveLength(1))
    const call = callsTo(made).at(-1)
    for (const one of [secret, made.secret]) expect(verify(call, one)).toMatchObject({ type: 'ping' })
    await sql`update webhooks set old_secret_until = now()`.execute(server.db)
    await eventually(async () => {
      await player.post(`/api/webhooks/${made.id}/test`, {})
      expect(messagesTo(made, 'ping').length).toBeGreaterThan(1)
    })
    const last = callsTo(made).at(-1)
    expect(verify(last, secret)).toMatchObject({ type: 'ping' })
    expect(() => verify(last, made.secret)).toThrow('No matching signature found')
    expect(Date.parse(oldSecretUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    const stored = JSON.stringify(await server.db.selectFrom('webhooks').selectAll().execute())
    expect(stored).not.toContain(Buffer.from(secret.slice('whsec_'.length), 'base64').toJSON().data.join(','))
  })

  it('is not sent while the account is suspended, but afterwards', async () => {
    const { player, trader, tokenId, made } = await openTrades()
    const open = await verified(trader, { events: ['trade'], tokenIds: [tokenId] })
    const id = await player.id()
    await sql`update users set standing = 'suspended' where id = ${id}`.execute(server.db)
    const trade = await buy(trader, tokenId)
    await arrive(open, [`trade-${trade}`])
    expect(eventsAt(made)).toEqual([])
    await sql`update users set standing = 'active' where id = ${id}`.execute(server.db)
    await arrive(made, [`trade-${trade}`])
  })

  it('to an address that does not respond delays no other webhook', async () => {
    const [player, trader] = [await server.player(), await server.player()]
    const tokenId = await trader.launch()
    const dead = await verified(player, { events: ['trade'], tokenIds: [tokenId] })
    const alive = await verified(player, { events: ['trade'], tokenIds: [tokenId] })
    const never = Promise.withResolvers<void>()
    receiver.answer = async ({ path }) => {
      if (path === dead.path) await never.promise
      return [204]
    }
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      ids.push(`trade-${await buy(trader, tokenId)}`)
      await arrive(alive, ids)
    }
    await eventually(() => expect(messagesTo(dead)).toHaveLength(1))
    never.resolve()
    await arrive(dead, ids)
  })
})

describe('the variant for Discord', () => {
  it('is verified by Discord’s own response, mentions nobody and escapes names', async () => {
    const [player, trader] = [await server.player(), await server.player()]
    const rename = sql`update users set username = '@everyone *x*' where id = ${await trader.id()}`
    await rename.execute(server.db)
    const tokenId = await trader.launch({ name: '<@1> [a](https://b.c)' })
    await sql`update tokens set symbol = 'A_B' where id = ${tokenId}`.execute(server.db)
    const path = '/api/webhooks/123/t0ken'
    receiver.answer = ({ method }) => (method === 'GET' ? [200, JSON.stringify({ id: '123', token: 't0ken' })] : [204])
    const url = `${receiver.origin}${path}`
    const made = { ...(await make(player, { url, format: 'discord', events: ['trade'] })), path }
    await becomes(player, made.id, { status: 'active', url: `${receiver.origin}/api/webhooks/123/…` })
    await buy(trader, tokenId)
    await eventually(() => expect(callsTo(made)).toHaveLength(2))
    const body = JSON.parse(callsTo(made)[1]?.text ?? '')
    expect(body).toMatchObject({ username: 'Papermoon', allowed_mentions: { parse: [] } })
    expect(body.embeds[0].description).toContain('A\\_B: \\@everyone \\*x\\* bought for 0.01 SOL')
  })

  it('is rejected if the response belongs to another webhook', async () => {
    const player = await server.player()
    receiver.answer = () => [200, JSON.stringify({ id: '123', token: 'other' })]
    const made = await make(player, { url: `${receiver.origin}/api/webhooks/123/t1`, format: 'discord' })
    await becomes(player, made.id, { status: 'pending', lastError: 'challenge' })
  })
})

describe('a forbidden address', () => {
  it('is not called after a redirect', async () => {
    const player = await server.player()
    const made = await verified(player, { events: ['fill'] })
    receiver.answer = () => [307, '', { location: `${receiver.origin}/elsewhere` }]
    await buy(player, await player.launch())
    await becomes(player, made.id, { status: 'failing', lastStatus: 307 })
    expect(receiver.calls.filter(({ path }) => path === '/elsewhere')).toEqual([])
  })

  it('is not called when a name resolves to it, whatever the name resolved to before', async () => {
    const player = await server.player()
    const answers = { a: ['10.0.0.1', '169.254.169.254'], aaaa: ['::ffff:192.168.0.1', '64:ff9b::a00:1'] }
    const before = receiver.calls.length
    names.answers = { a: () => answers.a.shift() ?? '100.64.0.1', aaaa: () => answers.aaaa.shift() }
    const created = await player.post('/api/webhooks', { url: 'https://rebinding.example.org/', events: ['trade'] })
    expect(created.statusCode).toBe(201)
    await eventually(async () => {
      await hurry()
      expect(await waiting()).toEqual([])
    })
    expect(await show(player, created.json().id)).toMatchObject({
      status: 'pending',
      lastStatus: null,
      lastError: 'forbidden',
    })
    expect([answers, receiver.calls.length]).toEqual([{ a: [], aaaa: [] }, before])
    // Plain HTTP and other ports are allowed only for addresses in the operator's networks, not for public ones.
    names.answers = { a: () => '93.184.215.14' }
    const plain = await player.post('/api/webhooks', { url: 'http://plain.example.org/', events: ['trade'] })
    await becomes(player, plain.json().id, { lastError: 'forbidden' })
  })

  it('whose name server does not respond delays neither other webhooks nor other names', async () => {
    names.answers = null
    const { trader, tokenId, made } = await openTrades()
    const before = names.questions
    for (let count = 0; count < 5; count++) {
      const url = `https://silent-${count}.example.org/`
      expect((await trader.post('/api/webhooks', { url, events: ['rug'] })).statusCode).toBe(201)
    }
    await eventually(() => expect(names.questions).toBeGreaterThanOrEqual(before + 10))
    // The process's lookup threads stay free for the operator's names.
    await lookup('localhost')
    const trade = await buy(trader, tokenId)
    await arrive(made, [`trade-${trade}`])
    for (const { id } of await list(trader)) await becomes(trader, id, { lastStatus: null, lastError: 'unreachable' })
  })
})

describe('adding a webhook', () => {
  it('rejects token ids if no chosen event is limited by tokens', async () => {
    const player = await server.player()
    const tokenId = await player.launch()
    const input = { url: `${receiver.origin}/none`, events: ['launch'], tokenIds: [tokenId] }
    const answer = await player.post('/api/webhooks', input)
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      'tokenIds is only for trade, rug and post. The events you named come from every token.',
    ])
  })
})

describe('the pause before another try', () => {
  it('doubles from five seconds to two hours, spread by a quarter, or is what the receiver asks for', () => {
    expect([1, 2, 3].map((attempt) => computePause(attempt, null, 0.5))).toEqual([5_000, 10_000, 20_000])
    expect([computePause(1, null, 0), computePause(1, null, 1), computePause(40, null, 0.5)]).toEqual([
      3_750, 6_250, 7_200_000,
    ])
    const asked = [0, 2_000, 60_000, 99_999_000]
    expect(asked.map((ms) => computePause(6, ms))).toEqual([1_000, 2_000, 60_000, 7_200_000])
  })
})

describe('/metrics', () => {
  it('counts deliveries and waiting messages', async () => {
    const player = await server.player()
    await verified(player)
    const text = await server.app.platform.metrics.metrics()
    expect(text).toMatch(/papermoon_webhook_deliveries_total\{result="delivered"\} [1-9]/)
    expect(text).toMatch(/papermoon_webhook_messages 0/)
    expect(text).toMatch(/papermoon_webhook_backlog_seconds 0/)
  })
})

describe('a new SECRETS_KEY', () => {
  it('encrypts a webhook’s secrets anew when its next message is taken for delivery', async () => {
    const player = await server.player()
    const made = await verified(player)
    const read = () =>
      server.db
        .selectFrom('webhooks')
        .select(['secret_sealed', 'url_sealed'])
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
    const before = await read()
    const secrets = createSecretBox({ db: server.db, keys: [randomBytes(32)] })
    const node = createWebhookDelivery({
      ...server.app,
      accounts: { ...server.app.accounts, secrets },
      platform: { ...server.app.platform, metrics: new Registry() },
    })
    await eventually(async () => {
      await player.post(`/api/webhooks/${made.id}/test`, {})
      await node.deliverDue()
      expect(await secrets.isOutdated((await read()).secret_sealed)).toBe(false)
    })
    await node.close()
    const after = await read()
    expect(after.url_sealed.equals(before.url_sealed)).toBe(false)
    const id = await player.id()
    const secret = await secrets.open(after.secret_sealed, `webhook:${id}`)
    expect(`whsec_${secret?.toString('base64')}`).toBe(made.secret)
  })
})
