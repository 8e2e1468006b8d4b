import { procedures } from '@papermoon/contract'
import type { AccountStatus } from '@papermoon/db'
import { describe, expect, it } from 'vitest'
import { registration, shareTestServer, type Visitor } from '../support/test-server.ts'

/** One millisecond longer than a node caches the owner of a session, in ms. */
const REMEMBERED_MS = 3_001
const SUSPENDED: [number, string] = [
  403,
  'Your account is suspended. You can sell what you hold, but you cannot buy, launch or rug.',
]
const FROZEN = [403, 'This account is frozen.']

const server = await shareTestServer({ env: { SHOW_RESET_CODES: 'on' } })
const market = await (await server.player('creator')).launch({ initialBuyAmount: '1' })

const told = ({ statusCode, body }: { statusCode: number; body: string }) => [
  statusCode,
  body.startsWith('{') ? JSON.parse(body).detail : body,
]
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const buy = (player: Visitor, key: string, solAmount = '1', headers = {}) =>
  player.post('/api/tokens/buy', { tokenId: market, solAmount }, { 'idempotency-key': key, ...headers })
const login = (username: string, password = 'secret-1') =>
  server.visitor().post('/api/auth/login', { email: registration(username).email, password })

/**
 * Changes the status in the database, like the operator's command on another node. This node's cache does not know it.
 */
async function setStanding(username: string, standing: AccountStatus, reason: string | null = null): Promise<void> {
  await server.db
    .updateTable('users')
    .set({ standing, standing_reason: reason })
    .where('username', '=', username)
    .execute()
}

/** Sets the status and waits until this node's cached status has expired. */
async function becomes(username: string, standing: AccountStatus, reason: string | null = null): Promise<void> {
  await setStanding(username, standing, reason)
  server.passTime(REMEMBERED_MS)
}

async function makeKey(player: Visitor): Promise<string> {
  await player.post('/api/account/confirm', { password: 'secret-1' })
  const answer = await player.post('/api/keys', { name: 'bot', scopes: ['read', 'trade'] })
  expect(answer.statusCode).toBe(201)
  return answer.json().key
}

async function readHolding(player: Visitor): Promise<string> {
  return (await player.get(`/api/tokens/${market}/position`)).json().amount
}

describe('a suspended player', () => {
  it('signs in, reads and sells, but cannot buy, launch, rug or create keys over any transport', async () => {
    const player = await server.player('suspended')
    const own = await player.launch()
    await buy(player, 'before')
    await becomes('suspended', 'suspended')
    expect((await login('suspended')).statusCode).toBe(200)
    expect((await player.get('/api/portfolio')).statusCode).toBe(200)
    const tokenAmount = await readHolding(player)
    const attempts = [
      await buy(player, 'new'),
      await player.post('/api/tokens/buy', { tokenId: market, solAmount: '1' }),
      await player.post('/api/tokens/launch', { name: 'New', symbol: 'NEW' }),
      await player.post(`/api/tokens/${own}/rug`, {}),
      await player.post('/api/keys', { name: 'bot', scopes: ['trade'] }),
    ]
    expect(attempts.map(told)).toEqual(attempts.map(() => SUSPENDED))
    const { error } = (await player.mutate('trading.buy', { tokenId: market, solAmount: '1' })).json()
    expect(error.json.data).toMatchObject({ httpStatus: 403, reason: 'ACCOUNT_SUSPENDED' })
    expect((await player.get('/api/auth/user')).json().solBalance).toBe('98.98')
    expect((await player.post('/api/tokens/sell', { tokenId: market, tokenAmount })).statusCode).toBe(200)
  })

  it('gets the first response when it repeats an earlier order, and places no new order', async () => {
    const player = await server.player('repeater')
    const { trade } = (await buy(player, 'lost-answer')).json()
    const launched = { name: 'Before', symbol: 'B4', initialBuyAmount: '1' }
    const once = { 'idempotency-key': 'launch-before' }
    const { id } = (await player.post('/api/tokens/launch', launched, once)).json()
    await becomes('repeater', 'suspended')
    const again = await buy(player, 'lost-answer')
    expect([again.statusCode, again.json().trade]).toEqual([200, trade])
    expect((await player.post('/api/tokens/launch', launched, once)).json().id).toBe(id)
    expect((await buy(player, 'lost-answer', '2')).statusCode).toBe(422)
    expect(told(await buy(player, 'never-sent'))).toEqual(SUSPENDED)
    const { rows } = await server.database.pool.query('select from trades where request_key = $1', ['never-sent'])
    expect(rows).toEqual([])
  })

  it('sees the suspension and its reason at the top of every page, before the operator’s own warning', async () => {
    const player = await server.player('warned')
    await server.db.updateTable('users').set({ warning: 'Be kind.' }).where('username', '=', 'warned').execute()
    const warning = async () => (await player.get('/api/auth/user')).json().warning
    await becomes('warned', 'suspended', 'Wash trading.')
    expect(await warning()).toBe(`${SUSPENDED[1]} Reason: Wash trading. Be kind.`)
    await becomes('warned', 'active')
    expect(await warning()).toBe('Be kind.')
    expect((await buy(player, 'free-again')).statusCode).toBe(200)
  })

  it('can only protect the account, and leave the market and the talk', () => {
    const allowed = [...procedures].filter(([, { whenSuspended }]) => whenSuspended === 'allowed').map(([path]) => path)
    const sensible =
      /^(trading\.sell|waitingOrders\.cancel|fairs\.leave|tokens\.watch|keys\.revoke|alerts\.remove|push\.unsubscribe|webhooks\.remove|talk\.delete|follows\.(unfollow|block|unblock|setHidden)|reports\.\w+|notices\.\w+|(security|secondFactor|passkeys)\.\w+|account\.(?!reset$)\w+)$/
    const hint =
      'may a suspended player do this? then name it in `sensible` of ' +
      'apps/api/test/account/account-status.test.ts, else remove whenSuspended from its router'
    expect(
      allowed.filter((path) => !sensible.test(path)),
      hint,
    ).toEqual([])
    expect(allowed).toContain('trading.sell')
  })
})

describe('a frozen player', () => {
  it('cannot sign in, and gets the reason only after the right password', async () => {
    await server.player('cold')
    await becomes('cold', 'frozen', 'Many accounts of one person.')
    expect(told(await login('cold'))).toEqual([403, 'This account is frozen: Many accounts of one person.'])
    expect(told(await login('cold', 'wrong-1'))).toEqual([401, 'Invalid credentials.'])
    const { rows } = await server.database.pool.query(
      'select from sessions s join users u on u.id = s.user_id where u.username = $1',
      ['cold'],
    )
    expect(rows).toHaveLength(1)
  })

  it('gets no response to repeated orders, and has the same sessions and keys again once the account is active', async () => {
    const player = await server.player('thawed')
    const key = bearer(await makeKey(player))
    await buy(player, 'before')
    await becomes('thawed', 'frozen')
    const attempts = [await buy(player, 'before'), await server.visitor().get('/api/tokens', key)]
    expect(attempts.map(told)).toEqual([FROZEN, FROZEN])
    // Calls that need no account treat the frozen player as a guest.
    expect((await player.get('/api/auth/user')).statusCode).toBe(401)
    expect((await player.get('/api/tokens')).statusCode).toBe(200)
    await becomes('thawed', 'active')
    expect((await player.get('/api/auth/user')).json().username).toBe('thawed')
    expect((await server.visitor().get('/api/portfolio', key)).statusCode).toBe(200)
  })

  it('cannot set a password with a reset code, which remains valid', async () => {
    const player = await server.player('resetter')
    const browser = server.visitor()
    const asked = await browser.post('/api/auth/forgot-password', { email: registration('resetter').email })
    const body = { token: asked.json().resetToken, newPassword: 'another-secret-9' }
    await becomes('resetter', 'frozen')
    expect(told(await browser.post('/api/auth/reset-password', body))).toEqual(FROZEN)
    await becomes('resetter', 'active')
    expect((await player.get('/api/portfolio')).statusCode).toBe(200)
    expect((await browser.post('/api/auth/reset-password', body)).statusCode).toBe(200)
  })
})
