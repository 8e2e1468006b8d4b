import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteOldRows } from '../../../src/delete-old-rows.ts'
import { closeWindow } from '../../../src/features/leaderboard/giveaway/close-window.ts'
import {
  doubtsAbout,
  type GiveawayWindow,
  giveawayWindow,
  objectionsTo,
} from '../../../src/features/leaderboard/giveaway/giveaway-window.ts'
import { findWinners } from '../../../src/features/leaderboard/giveaway/window-store.ts'
import { BROWSER_COOKIE } from '../../../src/http/calls/call-context.ts'
import { createTestServer, registration, shareTestServer, type Visitor } from '../../support/test-server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const server = await shareTestServer()
/** Number of the test, which is part of its players' names. */
let world = 0
beforeEach(async () => {
  world++
  await sql`delete from account_browsers`.execute(server.db)
})

const account = (name: string) => ({ ...registration(`${name}-${world}`), wallet: `wallet of ${name} ${world}` })
const now = () => server.app.platform.clock.now()
const rows = () => server.db.selectFrom('account_browsers').selectAll().orderBy('user_id').execute()
const getId = async (visitor: Visitor): Promise<number> => (await visitor.get('/api/auth/user')).json().id

async function register(visitor: Visitor, username: string): Promise<number> {
  const answer = await visitor.post('/api/auth/register', account(username))
  expect(answer.statusCode).toBe(201)
  return await getId(visitor)
}

async function login(visitor: Visitor, username: string): Promise<void> {
  const { email, password } = account(username)
  expect((await visitor.post('/api/auth/login', { email, password })).statusCode).toBe(200)
}

describe('the cookie that distinguishes browsers', () => {
  it('is random, lasts 90 days after the last sign-in, and is stored as a hash', async () => {
    const visitor = server.visitor()
    const answer = await visitor.post('/api/auth/register', account('one'))
    const cookie = answer.cookies.find(({ name }) => name === BROWSER_COOKIE)
    expect(cookie).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 90 * 24 * 3_600 })
    expect(cookie?.value).toMatch(/^[\w-]{43}$/)
    const [row, ...more] = await rows()
    expect(more).toEqual([])
    expect(row?.browser_hash).toEqual(
      createHash('sha256')
        .update(cookie?.value ?? '')
        .digest(),
    )
    server.passTime(DAY_MS)
    const { email, password } = account('one')
    const again = await visitor.post('/api/auth/login', { email, password })
    expect(again.cookies.find(({ name }) => name === BROWSER_COOKIE)).toEqual(cookie)
    const [later] = await rows()
    expect((later?.last_seen_at.getTime() ?? 0) - (later?.first_seen_at.getTime() ?? 0)).toBeGreaterThanOrEqual(DAY_MS)
  })

  it('has the prefix and is Secure over TLS', async () => {
    const published = await createTestServer({ hasJobs: false, env: { PUBLIC_URL: 'https://moon.example' } })
    const answer = await published.visitor().post('/api/auth/register', registration('two'))
    expect(answer.cookies.find(({ name }) => name.endsWith(BROWSER_COOKIE))).toMatchObject({
      name: `__Host-${BROWSER_COOKIE}`,
      secure: true,
      httpOnly: true,
    })
    await published.close()
  })

  it('is replaced if it is invalid, and reveals nothing about accounts', async () => {
    const [one, two] = [server.visitor(), server.visitor()]
    one.cookies.set(BROWSER_COOKIE, `${BROWSER_COOKIE}=mine`)
    await register(one, 'one')
    await register(two, 'two')
    const tokens = [one, two].map((visitor) => visitor.cookies.get(BROWSER_COOKIE)?.split('=')[1])
    expect(new Set(tokens).size).toBe(2)
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
  })

  it('is set by a sign-in only', async () => {
    const guest = server.visitor()
    for (const url of ['/', '/api/tokens', '/api/auth/user']) await guest.get(url)
    await guest.post('/api/auth/login', { email: 'nobody@x.example', password: 'wrong-1' })
    expect(guest.cookies.has(BROWSER_COOKIE)).toBe(false)
    expect(await rows()).toEqual([])
  })
})

describe('the stored browsers', () => {
  it('are limited to twenty per account, and those shared with others are kept longest', async () => {
    const shared = server.visitor()
    await register(shared, 'first')
    await register(shared, 'second')
    const [, second] = await rows()
    for (let browser = 0; browser < 25; browser++) {
      server.passTime(1_000)
      await login(server.visitor(), 'second')
    }
    const kept = (await rows()).filter(({ user_id }) => user_id === second?.user_id)
    expect(kept).toHaveLength(20)
    expect(kept.map(({ browser_hash }) => String(browser_hash))).toContain(String(second?.browser_hash))
  })

  it('have at most twenty accounts each, the latest', async () => {
    const visitor = server.visitor()
    const ids: number[] = []
    for (let account = 0; account < 23; account++) {
      server.passTime(1_000)
      ids.push(await register(visitor, `account-${account}`))
    }
    expect((await rows()).map(({ user_id }) => user_id)).toEqual(ids.slice(3))
  })

  it('are deleted 90 days after their last use', async () => {
    const visitor = server.visitor()
    await register(visitor, 'one')
    await register(server.visitor(), 'two')
    server.passTime(80 * DAY_MS)
    await login(visitor, 'one')
    for (const [days, left] of [
      [0, 2],
      [11, 1],
      [80, 0],
    ] as const) {
      server.passTime(days * DAY_MS)
      await deleteOldRows(server.db, now())
      expect(await rows()).toHaveLength(left)
    }
  })
})

describe('a giveaway', () => {
  let window: GiveawayWindow
  beforeEach(() => {
    // The tests start one hour into a window.
    const begin = Math.ceil(now().getTime() / (6 * HOUR_MS)) * 6 * HOUR_MS
    window = giveawayWindow(new Date(begin))
  })

  /** Lets accounts older than a day trade in the window: `winner` gets what the others pay. */
  async function playWindow(winner: Visitor, ...payers: readonly Visitor[]) {
    server.passTime(window.since.getTime() + 4 * 6 * HOUR_MS + HOUR_MS - now().getTime())
    window = giveawayWindow(new Date(window.since.getTime() + 4 * 6 * HOUR_MS))
    const id = await winner.launch({ initialBuyAmount: '5' })
    for (const payer of payers) await payer.post('/api/tokens/buy', { tokenId: id, solAmount: '20' })
    const { amount } = (await winner.get(`/api/tokens/${id}/position`)).json()
    expect((await winner.post('/api/tokens/sell', { tokenId: id, tokenAmount: amount })).statusCode).toBe(200)
    await closeWindow(server.db, window, window.until)
    const [first] = await findWinners(server.db, window.since)
    if (first === undefined) throw new Error('nobody won')
    return { first, objections: objectionsTo(first, window), doubts: doubtsAbout(first) }
  }

  it('goes to the older of two accounts in one browser, unless the younger paid for it', async () => {
    const browser = server.visitor()
    const [older, younger] = [server.visitor(), server.visitor()]
    await register(browser, 'older')
    await register(browser, 'younger')
    for (const [visitor, name] of [
      [older, 'older'],
      [younger, 'younger'],
    ] as const)
      await login(visitor, name)
    const { first, objections, doubts } = await playWindow(older, younger)
    expect(first).toMatchObject({ browser_accounts: 1, source_percent: 100, source_shares_browser: true })
    expect(first.source_user_id).toBe(await getId(younger))
    expect(objections).toEqual(['100 % of the profit came from accounts in the same browser'])
    expect(doubts).toEqual([])
  })

  describe('whose winner has other accounts in the same browser', () => {
    /** Returns a winner and younger accounts in the same browser, each with its own session. */
    async function household(size: number): Promise<readonly [Visitor, ...Visitor[]]> {
      const browser = server.visitor()
      const visitors: Visitor[] = []
      for (let place = 0; place < size; place++) {
        server.passTime(1_000)
        await register(browser, `account-${place}`)
        const visitor = server.visitor()
        await login(visitor, `account-${place}`)
        visitors.push(visitor)
      }
      return visitors as [Visitor, ...Visitor[]]
    }

    it('adds up their shares beside strangers, but the public leaderboard shows each share separately', async () => {
      const [winner, ...payers] = await household(4)
      const strangers = [server.visitor(), server.visitor()]
      for (const [place, stranger] of strangers.entries()) await register(stranger, `stranger-${place}`)
      const { first, objections } = await playWindow(winner, ...payers, ...strangers)
      expect([60, 59]).toContain(first.source_percent)
      expect(objections).toEqual([`${first.source_percent} % of the profit came from accounts in the same browser`])
      const [shown] = (await winner.get('/api/leaderboard')).json()
      expect([20, 19]).toContain(shown.sourcePercent)
    })
  })

  it('does not go to the younger of two accounts in one browser, even if they never signed in there again', async () => {
    const browser = server.visitor()
    await register(browser, 'older')
    await register(browser, 'younger')
    const [winner, stranger] = [server.visitor(), server.visitor()]
    await login(winner, 'younger')
    await register(stranger, 'stranger')
    const { first, objections, doubts } = await playWindow(winner, stranger)
    expect(first).toMatchObject({ browser_accounts: 2, source_percent: 100, source_shares_browser: false })
    expect(objections).toEqual(['an older account uses the same browser'])
    expect(doubts).toEqual(['100 % of the profit came from one account'])
  })

  it('ignores a shared browser after 90 days', async () => {
    const browser = server.visitor()
    await register(browser, 'older')
    await register(browser, 'younger')
    server.passTime(91 * DAY_MS)
    window = giveawayWindow(new Date(window.since.getTime() + 91 * DAY_MS))
    await deleteOldRows(server.db, now())
    const [winner, payer] = [server.visitor(), server.visitor()]
    await login(winner, 'younger')
    await login(payer, 'older')
    const { first, objections } = await playWindow(winner, payer)
    expect(first).toMatchObject({ browser_accounts: 1, source_shares_browser: false })
    expect(objections).toEqual([])
  })

  const candidate = {
    account_created_at: new Date(0),
    wallet_accounts: 1,
    browser_accounts: 1,
    source_percent: 49,
    source_shares_browser: true,
  }

  it('ignores a source of less than half of the profit', () => {
    expect([objectionsTo(candidate, window), doubtsAbout(candidate)]).toEqual([[], []])
    expect(doubtsAbout({ ...candidate, source_shares_browser: false })).toEqual([])
    expect(doubtsAbout({ ...candidate, source_percent: null, source_shares_browser: false })).toEqual([])
  })

  it('lists every objection to a winner', () => {
    const worst = {
      ...candidate,
      account_created_at: now(),
      wallet_accounts: 2,
      browser_accounts: 2,
      source_percent: 50,
    }
    expect(objectionsTo(worst, window)).toEqual([
      'the account is not older than a day',
      'an older account uses the same wallet',
      'an older account uses the same browser',
      '50 % of the profit came from accounts in the same browser',
    ])
  })
})

describe('public responses about browsers', () => {
  it('do not reveal that two accounts share one', async () => {
    const browser = server.visitor()
    const older = await register(browser, 'older')
    const younger = await register(browser, 'younger')
    const guest = server.visitor()
    for (const url of [`/api/users/${older}/profile`, `/api/users/${younger}/profile`, '/api/leaderboard'])
      expect((await guest.get(url)).body).not.toMatch(/browser/i)
  })
})
