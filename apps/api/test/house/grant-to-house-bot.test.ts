import { Decimal, solText } from '@papermoon/amm'
import { createTestDatabase } from '@papermoon/db/testing'
import type { UserId } from '@papermoon/engine'
import { balancedBooks, readBooks } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { grantToHouseBot, HOUSE_FLOAT, HOUSE_GRANTS_PER_DAY } from '../../src/house/create-house-bots.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')
const HOUR_MS = 3_600_000
const at = (hours: number): Date => new Date(NOON + hours * HOUR_MS)

let accounts = 0
const database = await createTestDatabase()
afterAll(() => database.close())

async function account(kind: 'player' | 'bot' | 'house' = 'house'): Promise<UserId> {
  const name = `account${++accounts}`
  const { rows } = await sql<{ id: UserId }>`
    with u as (insert into users (username, username_key, email, email_key, wallet, password_hash, kind)
      values (${name}, ${name}, ${name}, ${name}, '', '', ${kind}) returning id)
    insert into accounts (user_id, sol_balance) select id, 0 from u returning user_id as id`.execute(database.db)
  return (rows[0] as { id: UserId }).id
}

const grant = async (userId: UserId, sol: string, when = at(0)): Promise<string> =>
  solText(await grantToHouseBot(database.db, { userId, amount: new Decimal(sol), at: when }))

async function ledger(userId: UserId) {
  const grants = await database.db
    .selectFrom('grants')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  const { sol_balance } = await database.db
    .selectFrom('accounts')
    .select('sol_balance')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { grants: grants.map(({ kind, amount, created_at }) => [kind, amount, created_at]), balance: sol_balance }
}

describe('a grant to a house bot', () => {
  it('adds a row to the ledger and pays the bot exactly that amount', async () => {
    const bot = await account()
    expect(await grant(bot, '12.000000001')).toBe('12.000000001')
    expect(await ledger(bot)).toEqual({ grants: [['house', '12.000000001', at(0)]], balance: '12.000000001' })
    expect(await readBooks(database)).toEqual(balancedBooks('12.000000001'))
  })

  it('pays at most the float at first', async () => {
    expect(await grant(await account(), '1000.000000001')).toBe(solText(HOUSE_FLOAT))
  })

  it('pays the rest of a day’s limit, then nothing, and pays again when the grants are a day old', async () => {
    const bot = await account()
    expect(await grant(bot, '300', at(0))).toBe('300')
    expect(await grant(bot, '300', at(1))).toBe('300')
    expect(await grant(bot, '300', at(12))).toBe('200')
    expect(await grant(bot, '0.000000001', at(24.999))).toBe('0')
    expect(await grant(bot, '1000', at(25))).toBe('300')
    expect(await grant(bot, '1', at(35.999))).toBe('0')
    expect(await grant(bot, '1000', at(36))).toBe('200')
    const { grants, balance } = await ledger(bot)
    expect([grants.length, new Decimal(balance).toFixed()]).toEqual([5, '1300'])
  })

  it('has a limit for each bot separately', async () => {
    const [one, other] = [await account(), await account()]
    expect(await grant(one, '100')).toBe('100')
    expect(await grant(other, '100')).toBe('100')
  })

  it('does not exceed the limit if many nodes grant at once', async () => {
    const bot = await account()
    const granted = await Promise.all(Array.from({ length: 20 }, () => grant(bot, '40')))
    const total = granted.reduce((sum, amount) => sum.add(amount), new Decimal(0))
    // One of the grants is the first grant of 40 SOL, which the daily limit does not include.
    const most = HOUSE_GRANTS_PER_DAY.add(40).toFixed()
    expect(total.toFixed()).toBe(most)
    expect(new Decimal((await ledger(bot)).balance).toFixed()).toBe(most)
    const { granted: all, ...books } = await readBooks(database)
    expect({ granted: all, ...books }).toEqual(balancedBooks(all))
  })

  it.each(['player', 'bot'] as const)('rejects an account of kind %s and changes nothing', async (kind) => {
    const player = await account(kind)
    await expect(grant(player, '1')).rejects.toThrow('is not a house bot')
    expect(await ledger(player)).toEqual({ grants: [], balance: '0.000000000' })
  })

  it('rejects an amount that is not above 0', async () => {
    const bot = await account()
    for (const amount of ['0', '-1']) await expect(grant(bot, amount)).rejects.toThrow('a grant of')
    expect((await ledger(bot)).grants).toEqual([])
  })
})

describe('the database', () => {
  const refused: readonly { what: string; change: () => ReturnType<typeof sql> }[] = [
    { what: 'another kind of account', change: () => sql`update users set kind = 'robot'` },
    { what: 'a sentence of 201 characters', change: () => sql`update users set about = ${'x'.repeat(201)}` },
    { what: 'a picture of 17 characters', change: () => sql`update users set emoji = ${'x'.repeat(17)}` },
    {
      what: 'another kind of grant',
      change: () => sql`insert into grants (user_id, kind, amount) select min(id), 'gift', 1 from users`,
    },
    {
      what: 'a second demo world',
      change: () =>
        sql`insert into demo_world (id, state, seed, began_at) values (1, 'running', 1, now()), (2, 'running', 1, now())`,
    },
    {
      what: 'another state of it',
      change: () => sql`insert into demo_world (state, seed, began_at) values ('gone', 1, now())`,
    },
  ]
  it.each(refused)('rejects $what', async ({ change }) => {
    await account()
    await expect(change().execute(database.db)).rejects.toMatchObject({ code: '23514' })
  })
})
