import { procedures } from '@papermoon/contract'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { logout } from '../../../src/commands/admin/access.ts'
import { deleteDueAccounts } from '../../../src/features/account/deletion/delete-due-accounts.ts'
import { type RowStream, rowStreams } from '../../../src/http/rest/streams/row-streams.ts'
import { openEventSource } from '../../support/event-source.ts'
import { makeRoom } from '../../support/fairs.ts'
import { openSocket, registration, shareTestServer, type Visitor } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

const DAY_MS = 24 * 3_600_000

const server = await shareTestServer({ env: { SHOW_RESET_CODES: 'on' } })
const port = await server.listen()
const tokenId = await (await server.player('creator')).launch()

interface Setting {
  readonly name: string
  /** The test ends this player's session or key. */
  readonly player: Visitor
  /** Another session of the same player. */
  readonly other: Visitor
  readonly keyId: number
  readonly key: string
  readonly room: number
}

type Headers = Record<string, string>

const cookieOf = ({ cookie = '' }: Visitor): Headers => ({ cookie })
const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })
const login = (visitor: Visitor, name: string) => {
  const { email, password } = registration(name)
  return visitor.post('/api/auth/login', { email, password })
}
const nowMs = () => server.app.platform.clock.now().getTime()

let count = 0
async function prepare(): Promise<Setting> {
  const name = `player-${++count}`
  const player = await server.player(name)
  const room = await makeRoom(player)
  const asked = { name: 'bot', scopes: ['read', 'trade'], expiresAt: new Date(nowMs() + DAY_MS) }
  const { id: keyId, key } = (await player.post('/api/keys', asked)).json()
  const other = server.visitor()
  await login(other, name)
  return { name, player, other, keyId, key, room: room.id }
}

/** Inputs of the subscriptions that require one. */
const inputs: Readonly<Record<string, (room: number) => object>> = {
  'fairs.watch': (id) => ({ id }),
  'live.token': () => ({ tokenId }),
  'live.market': (room) => ({ fairs: [room] }),
  'talk.watch': (fairId) => ({ fairId }),
}
/** `tape.follow` is left out, because it needs no session: the secret id of a daily game is enough. */
const subscriptions = [...procedures].filter(([path, { type }]) => type === 'subscription' && path !== 'tape.follow')

/** Opens every kind of stream. Returns promises that resolve when the streams have closed. */
async function openAll(headers: Headers, room: number): Promise<Promise<unknown>[]> {
  const { cursor } = server.app.live.stream
  const queries = ['', '?types=order', `?fairs=${room}`, `?tokens=${tokenId}`, `?after=${cursor}`]
  const sources = queries.map(async (query) => {
    const source = await openEventSource(`http://127.0.0.1:${port}/api/events${query}`, headers)
    expect(source.status).toBe(200)
    return [source.closed]
  })
  const sockets = queries.map(async (query) => [
    (await openSocket(`ws://127.0.0.1:${port}/ws${query}`, headers)).closed,
  ])
  const followed = subscriptions.map(async ([path]) => {
    const socket = await openSocket(`ws://127.0.0.1:${port}/trpc`, headers)
    socket.send({ id: 1, method: 'subscription', params: { path, input: { json: inputs[path]?.(room) ?? {} } } })
    expect([path, await socket.next()]).toMatchObject([path, { result: { type: 'started' } }])
    return [socket.closed]
  })
  return (await Promise.all([...sources, ...sockets, ...followed])).flat()
}

const freeze = ({ name }: Setting) =>
  server.db.updateTable('users').set({ standing: 'frozen' }).where('username', '=', name).execute()

async function remove({ player, name }: Setting): Promise<void> {
  await player.post('/api/account/deletion', { password: 'secret-1' })
  await server.db
    .updateTable('users')
    .set({ deletion_due_at: new Date(0) })
    .where('username', '=', name)
    .execute()
  await deleteDueAccounts(server.app)
}

async function reset({ name }: Setting): Promise<void> {
  const browser = server.visitor()
  const { email } = registration(name)
  const asked = await browser.post('/api/auth/forgot-password', { email })
  await browser.post('/api/auth/reset-password', { token: asked.json().resetToken, newPassword: 'another-secret-9' })
}

const changePassword = (visitor: Visitor, revokeKeys: boolean) =>
  visitor.post('/api/account/password', { password: 'secret-1', newPassword: 'another-secret-9', revokeKeys })

const confirm = (visitor: Visitor) => visitor.post('/api/account/confirm', { password: 'secret-1' })

type Ends = (setting: Setting) => Promise<unknown> | unknown

/** Actions that end both sessions and keys. */
const always: Record<string, Ends> = {
  'a reset of the password': reset,
  'a freeze': freeze,
  'the deletion of the account': remove,
  'the operator, who signs the player out': ({ name }) => logout(server.database, name),
}
const ofSessions: Record<string, Ends> = {
  ...always,
  logout: ({ player }) => player.post('/api/auth/logout', {}),
  'a login in the same browser': ({ player, name }) => login(player, name),
  'a registration in the same browser': ({ player, name }) =>
    player.post('/api/auth/register', registration(`${name}-again`)),
  'a confirmation, which replaces the token': ({ player }) => confirm(player),
  'another session that ends it': async ({ player, other }) => {
    const sessions: { id: number; isThis: boolean }[] = (await player.get('/api/account/sessions')).json()
    const own = sessions.find(({ isThis }) => isThis)
    await confirm(other)
    await other.raw('DELETE', `/api/account/sessions/${own?.id}`, '')
  },
  'another session that ends all others': async ({ other }) => {
    await confirm(other)
    await other.raw('DELETE', '/api/account/sessions', '')
  },
  'a change of the password': ({ player }) => changePassword(player, false),
  'a change of the password in another session': ({ other }) => changePassword(other, false),
  'its expiry': () => server.passTime(31 * DAY_MS),
}
const ofKeys: Record<string, Ends> = {
  ...always,
  'its revocation': async ({ player, keyId }) => {
    await confirm(player)
    await player.raw('DELETE', `/api/keys/${keyId}`, '')
  },
  'a change of the password that revokes keys': ({ player }) => changePassword(player, true),
  'its expiry': () => server.passTime(2 * DAY_MS),
}

/** Streams and sockets of another player and of guests, which must stay open. */
const bystander = await prepare()
const others = await Promise.all(
  [cookieOf(bystander.player), bearer(bystander.key), {}, { cookie: 'papermoon_session=old' }].map(async (headers) => ({
    source: await openEventSource(`http://127.0.0.1:${port}/api/events`, headers),
    socket: await openSocket(`ws://127.0.0.1:${port}/ws`, headers),
  })),
)

describe('every stream and socket ends', () => {
  it('but not those of others, which receive the next event', async () => {
    for (const end of [...Object.values(always), ofSessions.logout, ofKeys['its revocation']])
      await end?.(await prepare())
    const launched = await bystander.player.launch()
    for (const { source, socket } of others) {
      await source.until(() => source.events.some(({ data }) => data.tokenId === launched))
      expect(await socket.next()).toMatchObject({ type: 'token_launched', tokenId: launched })
      source.close()
      socket.socket.close()
    }
  })

  it.each(Object.entries(ofSessions))('with its session: %s', async (_, end) => {
    const setting = await prepare()
    const closing = await openAll(cookieOf(setting.player), setting.room)
    await end(setting)
    await Promise.all(closing)
  })

  it.each(Object.entries(ofKeys))('with its key: %s', async (_, end) => {
    const setting = await prepare()
    const closing = await openAll(bearer(setting.key), setting.room)
    await end(setting)
    await Promise.all(closing)
  })

  const endElsewhere = async ({ name }: Setting) => {
    const users = server.db.selectFrom('users').select('id').where('username', '=', name)
    await server.db.deleteFrom('sessions').where('user_id', 'in', users).execute()
  }

  it.each<[string, Ends]>([
    ['here', ({ player }) => player.post('/api/auth/logout', {})],
    [
      'on another node, and opening took long',
      async (setting) => {
        await endElsewhere(setting)
        server.passTime(6_000)
      },
    ],
  ])('though its session ended while it was opened: %s', async (_, end) => {
    const { stream } = server.app.live
    const openers = [
      async (headers: Headers) =>
        (await openEventSource(`http://127.0.0.1:${port}/api/events?types=post`, headers)).closed,
      async (headers: Headers) =>
        (await openSocket(`ws://127.0.0.1:${port}/ws?types=post&after=${stream.cursor}`, headers)).closed,
    ]
    for (const open of openers) {
      const setting = await prepare()
      const headers = cookieOf(setting.player)
      const { opened } = await server.db.transaction().execute(async (tx) => {
        await sql`lock table blocks`.execute(tx)
        const opening = open(headers)
        // The server has found the session by now, and waits for the lock to read whose posts the player hides.
        await vi.waitFor(async () => {
          const waiting = await sql`select from pg_locks where relation = 'blocks'::regclass and not granted`.execute(
            tx,
          )
          expect(waiting.rows).toHaveLength(1)
        }, WAIT_MAX_MS)
        await end(setting)
        return { opened: opening }
      })
      await opened
    }
  })

  it('if its session ended on another node, which this node has not noticed yet', async () => {
    const setting = await prepare()
    const headers = cookieOf(setting.player)
    expect((await setting.player.get('/api/auth/user')).statusCode).toBe(200)
    await endElsewhere(setting)
    const socket = await openSocket(`ws://127.0.0.1:${port}/trpc`, headers)
    socket.send({ id: 1, method: 'subscription', params: { path: 'notices.live', input: { json: {} } } })
    expect(await socket.closed).toBe(1008)
  })

  it('including downloads of the player’s own data', async () => {
    const { player } = await prepare()
    const headers = cookieOf(player)
    const { url } = (await player.post('/api/account/export', {})).json()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const rows = rowStreams['waitingOrders.list'] as RowStream
    const open = vi.spyOn(rows, 'open').mockImplementationOnce(async function* () {
      await released
      yield []
    })
    onTestFinished(() => open.mockRestore())
    const client = await server.database.pool.connect()
    onTestFinished(() => client.release())
    const list = await fetch(`http://127.0.0.1:${port}/api/exports/waiting-orders.csv`, { headers })
    await client.query('begin; lock table waiting_orders in access exclusive mode')
    const whole = await fetch(new URL(url, `http://127.0.0.1:${port}`), { headers })
    expect([list.status, whole.status]).toEqual([200, 200])
    await player.post('/api/auth/logout', {})
    await client.query('rollback')
    release()
    await expect(list.text()).rejects.toThrow()
    await expect(whole.text()).rejects.toThrow()
  })
})
