import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import {
  createHouseBots,
  type HouseCharacter,
  type HouseKey,
  renewHouseKeys,
} from '../../src/house/create-house-bots.ts'
import { findHouseBots, retireHouseBots } from '../../src/house/house-bots.ts'
import { shareTestServer } from '../support/test-server.ts'

const fox: HouseCharacter = { name: 'Foxy Fern', emoji: '🦊', about: 'I buy what everybody buys, a little later.' }

let bots = 0
const server = await shareTestServer({ env: { RATE_LIMIT: 'on' } })

const create = (characters: readonly HouseCharacter[], networks: readonly string[] = []) =>
  createHouseBots(server.db, characters, { at: server.app.platform.clock.now(), networks })
const named = (name: string): HouseCharacter => ({ ...fox, name })
const bearer = ({ key }: Pick<HouseKey, 'key'>) => ({ authorization: `Bearer ${key}` })
const guest = () => server.visitor()

async function newBot(networks: readonly string[] = []): Promise<HouseKey> {
  const [bot] = await create([named(`bot ${++bots}`)], networks)
  if (bot === undefined) throw new Error('no bot')
  return bot
}

async function count(): Promise<readonly number[]> {
  const tables = ['users', 'accounts', 'grants', 'api_keys'] as const
  const counts = tables.map((table) => sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`)
  return await Promise.all(counts.map(async (query) => (await query.execute(server.db)).rows[0]?.n ?? -1))
}

describe('a house bot', () => {
  it('has a name, a picture, a description, its first grant and a key', async () => {
    const [created] = await create([fox])
    expect(created).toEqual({
      userId: expect.any(Number),
      name: fox.name,
      key: expect.stringMatching(/^pm_[\w-]{43}$/),
    })
    const [bot] = (await findHouseBots(server.db)).filter(({ username }) => username === fox.name)
    expect(bot).toEqual({
      id: created?.userId,
      username: fox.name,
      emoji: fox.emoji,
      about: fox.about,
      status: 'active',
      balance: '1000.000000000',
      granted: '1000.000000000',
      keys: 1,
    })
    expect(await auditMarket(server.database.pool)).toMatchObject({ shown: [] })
  })

  it('can read and trade with its key, and nothing else', async () => {
    const bot = await newBot()
    const launched = await guest().post('/api/tokens/launch', { name: 'Moth', symbol: 'MOTH' }, bearer(bot))
    expect(launched.statusCode).toBe(201)
    const buy = { tokenId: launched.json().id, solAmount: '1' }
    expect((await guest().post('/api/tokens/buy', buy, bearer(bot))).statusCode).toBe(200)
    expect((await guest().get('/api/portfolio', bearer(bot))).statusCode).toBe(200)
    const reset = await guest().raw('POST', '/api/account/reset', '', bearer(bot))
    expect([reset.statusCode, reset.body]).toEqual([403, expect.stringContaining('API key')])
  })

  it('has no password, so nobody can sign in or reset it', async () => {
    await newBot()
    const { rows } = await sql<{ email_key: string; password_hash: string }>`
      select email_key, password_hash from users where kind = 'house'`.execute(server.db)
    for (const { email_key, password_hash } of rows) {
      expect(password_hash).toBe('')
      for (const email of [email_key, email_key.toLowerCase(), '']) {
        for (const password of ['', ' ', 'x']) {
          expect((await guest().post('/api/auth/login', { email, password })).statusCode).toBe(400)
        }
        expect((await guest().post('/api/auth/forgot-password', { email })).statusCode).toBe(400)
      }
    }
    expect(await server.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })

  it('can use its key from the named networks only', async () => {
    const inside = await newBot(['127.0.0.0/8'])
    const outside = await newBot(['203.0.113.0/24'])
    expect((await guest().get('/api/portfolio', bearer(inside))).statusCode).toBe(200)
    expect((await guest().get('/api/portfolio', bearer(outside))).statusCode).toBe(403)
  })

  it('is created with all others of the list, or none is', async () => {
    const before = await count()
    const refused: readonly [HouseCharacter, string][] = [
      [named('FOXY  FERN'), 'already taken'],
      [named('papermoon'), 'already taken'],
      [named('x'), 'at least 2 characters'],
      [{ ...named('bad emoji'), emoji: 'F' }, 'must be one emoji'],
      [{ ...named('bad emojis'), emoji: '🦊🦊' }, 'must be one emoji'],
      [{ ...named('silent'), about: ' ' }, 'is required'],
      [{ ...named('wordy'), about: 'x'.repeat(201) }, 'at most 200 characters'],
    ]
    for (const [character, reason] of refused) {
      await expect(create([named(`good ${character.name}`.slice(0, 30)), character])).rejects.toThrow(reason)
    }
    expect(await count()).toEqual(before)
  })

  it('trades beside thirty others from one address within the limits', async () => {
    const fleet = await create(Array.from({ length: 30 }, (_, index) => named(`fleet ${index}`)))
    const [first] = fleet
    if (first === undefined) throw new Error('no fleet')
    const launched = await guest().post('/api/tokens/launch', { name: 'Swarm', symbol: 'SWARM' }, bearer(first))
    const buy = { tokenId: launched.json().id, solAmount: '0.1' }
    const statuses = new Set<number>()
    const act = async (bot: HouseKey) => {
      for (let turn = 0; turn < 8; turn++) {
        statuses.add((await guest().post('/api/tokens/buy', buy, bearer(bot))).statusCode)
        statuses.add((await guest().get('/api/portfolio', bearer(bot))).statusCode)
      }
    }
    await Promise.all(fleet.map(act))
    expect([...statuses]).toEqual([200])
  })
})

describe('renewed keys', () => {
  it('replace the old keys of every active bot', async () => {
    const bot = await newBot()
    const renewed = await renewHouseKeys(server.db, { at: server.app.platform.clock.now() })
    const [mine] = renewed.filter(({ userId }) => userId === bot.userId)
    expect(renewed.length).toBe((await findHouseBots(server.db)).length)
    expect((await guest().get('/api/portfolio', bearer(bot))).statusCode).toBe(401)
    expect((await guest().get('/api/portfolio', bearer(mine ?? bot))).statusCode).toBe(200)
  })
})

describe('a retired bot', () => {
  it('has no key, keeps its holdings, and gets no new key', async () => {
    const bot = await newBot()
    const player = await server.player()
    expect(await retireHouseBots(server.db, [bot.userId])).toBe(1)
    expect(await retireHouseBots(server.db, [bot.userId])).toBe(0)
    expect((await guest().get('/api/portfolio', bearer(bot))).statusCode).toBe(401)
    const renewed = await renewHouseKeys(server.db, { at: server.app.platform.clock.now() })
    expect(renewed.map(({ userId }) => userId)).not.toContain(bot.userId)
    const [left] = (await findHouseBots(server.db)).filter(({ id }) => id === bot.userId)
    expect(left).toMatchObject({ status: 'frozen', balance: '1000.000000000', keys: 0 })
    // The command rejects the id of a player.
    const { id } = (await player.get('/api/auth/user')).json()
    expect(await retireHouseBots(server.db, [id])).toBe(0)
    expect((await player.get('/api/auth/user')).statusCode).toBe(200)
  })
})
