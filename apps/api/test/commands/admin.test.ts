import { readdirSync } from 'node:fs'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { recordAccountEvent } from '../../src/features/account/records/account-events.ts'
import { createDataDir } from '../support/data-folder.ts'
import { type CommandEnd, runCommand } from '../support/run-command.ts'
import { registration, shareTestServer, type Visitor } from '../support/test-server.ts'

/** Time to wait for a result in ms, because a server may cache reads for a short time. */
const SOON = { timeout: 120_000, interval: 100 }
const server = await shareTestServer()
const settings: Readonly<Record<string, string>> = { DATABASE_URL: server.database.connectionString }

const admin = (...args: string[]): Promise<CommandEnd> => runCommand('admin', args, settings)
const done = (sentence: string | RegExp) => ({
  code: 0,
  stderr: '',
  stdout: sentence instanceof RegExp ? expect.stringMatching(sentence) : `${sentence}\n`,
})
const failed = (sentence: string) => ({ code: 2, stdout: '', stderr: `${sentence}\n` })

interface Player {
  readonly visitor: Visitor
  readonly id: number
  readonly username: string
  readonly email: string
  /** The player's name in the output of the commands. */
  readonly name: string
}

async function register(): Promise<Player> {
  const visitor = await server.player()
  const { id, username, email } = (await visitor.get('/api/auth/user')).json()
  return { visitor, id, username, email, name: `Player ${id} (${username}, ${email})` }
}

const readWarning = async ({ visitor }: Player) => (await visitor.get('/api/auth/user')).json().warning ?? null

describe('a warning', () => {
  it('is shown to the player by the running server, and can be removed', async () => {
    const player = await register()
    const { id, username, email, name } = player
    expect(await admin('warn', String(id), '  No wash trading,   please. ')).toEqual(
      done(`${name} now sees this warning: No wash trading, please.`),
    )
    expect(await readWarning(player)).toBe('No wash trading, please.')
    expect(await admin('warn', username.toUpperCase(), 'Second.')).toEqual(
      done(`${name} now sees this warning: Second.`),
    )
    expect(await readWarning(player)).toBe('Second.')
    expect(await admin('unwarn', email.toUpperCase())).toEqual(done(`${name} no longer sees a warning.`))
    expect(await readWarning(player)).toBeNull()
  })

  it('is rejected for an unknown player, without a text, and with an invisible or too long text', async () => {
    const { id } = await register()
    expect(await admin('warn', 'nobody@papermoon.example', 'x')).toEqual(
      failed('There is no player nobody@papermoon.example.'),
    )
    expect(await admin('unwarn', '0')).toEqual(failed('There is no player 0.'))
    expect(await admin('unwarn', '99999999999999999999')).toEqual(failed('There is no player 99999999999999999999.'))
    expect(await admin('warn', String(id), 'a\u202eb')).toEqual(
      failed('The warning must not contain invisible characters.'),
    )
    expect(await admin('warn', String(id), 'x'.repeat(501))).toEqual(
      failed('The warning must be at most 500 characters.'),
    )
    expect((await admin('warn', String(id))).stderr).toMatch(/^The command warn takes 2 arguments; quote/)
  })

  it('requires an email address if a number is one player’s id and another’s username', async () => {
    const first = await register()
    const email = `${first.username}-two@papermoon.example`
    const body = { ...registration(`${first.id}`.padStart(2, '0')), email }
    expect((await server.visitor().post('/api/auth/register', body)).statusCode).toBe(201)
    const { stderr, code } = await admin('unwarn', body.username)
    expect(code).toBe(2)
    expect(stderr).toMatch(/ can be Player \d+ .* or Player \d+ .*\. Give the player’s email instead\.$/m)
    expect((await admin('unwarn', email)).code).toBe(0)
  })
})

describe('a reset code', () => {
  it('works in the browser that requested it, and in other browsers with the email', async () => {
    const { email, username } = await register()
    const [browser, other] = [server.visitor(), server.visitor()]
    for (const [user, using] of [[username, browser] as const, [email, other] as const]) {
      await browser.post('/api/auth/forgot-password', { email })
      const { stdout } = await admin('reset-code', user)
      expect(stdout).toContain(`/reset-password#email=${encodeURIComponent(email)}`)
      const body = { token: / is (\d{6})\./.exec(stdout)?.[1], newPassword: `${username}-anew` }
      const answer = await using.post('/api/auth/reset-password', using === browser ? body : { ...body, email })
      expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()])
      expect((await other.post('/api/auth/reset-password', { ...body, email })).statusCode).toBe(400)
    }
  })
})

describe('a hidden token', () => {
  it('is hidden by the running server until it is unhidden', async () => {
    const { visitor } = await register()
    const id = await visitor.launch({ name: 'Naughty', symbol: 'PROOF' })
    const readStatus = async () => (await server.visitor().get(`/api/tokens/${id}`)).statusCode
    expect(await admin('hide', String(id))).toEqual(
      done(`Token ${id} (Naughty, PROOF) is hidden from lists and search. Its holders can only sell.`),
    )
    await vi.waitFor(async () => expect(await readStatus()).toBe(404), SOON)
    expect(await admin('hide', String(id))).toEqual(failed(`Token ${id} (Naughty, PROOF) is already hidden.`))
    expect(await admin('unhide', String(id))).toEqual(
      done(`Token ${id} (Naughty, PROOF) is in lists and search again, and can be traded.`),
    )
    await vi.waitFor(async () => expect(await readStatus()).toBe(200), SOON)
    expect(await admin('unhide', String(id))).toEqual(failed(`Token ${id} (Naughty, PROOF) is not hidden.`))
    expect(await admin('hide', 'Naughty')).toEqual(failed('There is no token Naughty.'))
  })
})

describe('logout', () => {
  // `ended-credentials.test.ts` tests which sessions and keys stop working.
  it('says how many sessions and API keys it ended', async () => {
    const { visitor, username, name } = await register()
    await visitor.post('/api/keys', { name: 'bot', scopes: ['read', 'trade'] })
    expect(await admin('logout', username)).toEqual(done(`${name} is logged out. Ended: 1 session and 1 API key.`))
    expect(await admin('logout', username)).toEqual(done(`${name} had no session and no API key.`))
  })
})

const getStatus = async (visitor: Visitor) => (await visitor.get('/api/portfolio')).statusCode

describe('suspend', () => {
  it('stops buying within seconds, and with --frozen every use of the account, until unsuspend', async () => {
    const player = await register()
    const { visitor, id, username, email, name } = player
    const tokenId = await visitor.launch()
    const buy = async () => (await visitor.post('/api/tokens/buy', { tokenId, solAmount: '0.1' })).statusCode
    expect(await buy()).toBe(200)

    expect(await admin('suspend', username, '--reason', '  Wash trading, ')).toEqual(
      done(
        `${name} is suspended (Wash trading,): can log in, read and sell, but cannot buy, launch, rug or create API keys.`,
      ),
    )
    await vi.waitFor(async () => expect(await buy()).toBe(403), SOON)
    expect(await readWarning(player)).toMatch(/^Your account is suspended\. .* Reason: Wash trading,$/)
    await visitor.sell(tokenId, '1000')

    expect(await admin('suspend', '--frozen', email)).toEqual(
      done(`${name} is frozen: cannot log in or do anything; live connections are closed.`),
    )
    await vi.waitFor(async () => expect(await getStatus(visitor)).toBe(403), SOON)
    expect(await admin('unsuspend', String(id))).toEqual(done(`${name} is no longer frozen.`))
    await vi.waitFor(async () => expect(await buy()).toBe(200), SOON)
    expect(await readWarning(player)).toBeNull()
    expect(await admin('unsuspend', String(id))).toEqual(failed(`${name} is not suspended.`))

    const { stdout } = await admin('events', username)
    const happened = stdout.split('\r\n').map((line) => line.split(',')[1]?.replaceAll('"', ''))
    expect(happened.filter((kind) => kind?.includes('suspended'))).toEqual(['unsuspended', 'suspended', 'suspended'])
  })

  it('is rejected for an unknown player, without a player, and with unknown options', async () => {
    const { id } = await register()
    expect(await admin('suspend', '0')).toEqual(failed('There is no player 0.'))
    for (const args of [[], [''], [String(id), 'because'], [String(id), '--cold'], [String(id), '--reason']]) {
      expect(await admin('suspend', ...args)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^The command suspend takes/),
      })
    }
    expect(await admin('suspend', String(id), '--reason', 'x'.repeat(301))).toEqual(
      failed('The reason must be at most 300 characters.'),
    )
  })
})

describe('events', () => {
  const HEADER = '"at","kind","times","address","browser","detail"\r\n'
  const CALLER = { ip: '203.0.113.7', userAgent: 'curl/8.5.0' }
  const events = (...args: string[]) => admin('events', ...args)
  const refused = (sentence: RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })

  it('lists the events of one account as CSV, newest first, with formulas escaped', async () => {
    const player = await server.player('watched')
    await server.player('another')
    const userId = await player.id()
    const at = (daysAgo: number) => ({ now: () => new Date(Date.now() - daysAgo * 86_400_000) })
    const record = (daysAgo: number, name: string) =>
      recordAccountEvent({ ...server.app, platform: { ...server.app.platform, clock: at(daysAgo) } }, CALLER, {
        userId,
        kind: 'key_made',
        detail: { name },
      })
    await record(10, '=1+1')
    await record(40, 'old')
    const { code, stdout, stderr } = await events('watched')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.startsWith(HEADER)).toBe(true)
    const lines = stdout.slice(HEADER.length).trimEnd().split('\r\n')
    expect(lines).toEqual([
      expect.stringMatching(/^"[^"]+","registered",1,"127\.0\.0\.1","lightMyRequest",""$/),
      expect.stringMatching(/^"[^"]+","key_made",1,"203\.0\.113\.7","curl 8","name: =1\+1"$/),
      expect.stringMatching(/^"[^"]+","key_made",1,"203\.0\.113\.7","curl 8","name: old"$/),
    ])
    const fewer = await events('watched@papermoon.example', '--days', '30')
    expect(fewer.stdout).not.toContain('old')
    expect(fewer.stdout).toContain('=1+1')
  })

  it('is rejected for an unknown player, without a player, and with invalid days', async () => {
    expect(await events('nobody')).toEqual(refused(/^There is no player nobody\.$/m))
    for (const args of [[], ['watched', 'another'], ['watched', '--days', '0'], ['watched', '--days', '91']]) {
      expect(await events(...args)).toEqual(refused(/^The command events takes a player, and --days with 1 to 90\.$/m))
    }
    expect(await events('watched', '--hours', '1')).toEqual(refused(/^The command events takes a player/))
  })
})

describe('the audit command', () => {
  it('reports differences and exits with 1, for DATABASE_URL too', async () => {
    const market = await createTestMarket()
    onTestFinished(() => market.close())
    const creator = await market.addPlayer()
    await market.launch(creator, '1')
    const env = { DATABASE_URL: market.connectionString }
    expect(await runCommand('audit', [], env)).toEqual(done(/audit: 1 token, 1 trade, 1 player: every sum is exact\n$/))
    await sql`update accounts set sol_balance = sol_balance + 0.000000001`.execute(market.db)
    const { code, stdout } = await runCommand('audit', [], env)
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(1)).toEqual([
      'player 1 (player-1): balance is 98.980000001, but should be 98.98',
      'the market: sum of balances, real SOL and treasury is 100.000000001, but should be 100',
      'audit: 1 token, 1 trade, 1 player: 2 differences',
      '',
    ])
  })
})

describe('a command that cannot work', () => {
  it('prints the usage', async () => {
    const help = await admin('help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: papermoon admin COMMAND\n/)
    expect(await admin()).toEqual({ ...help, code: 2 })
    expect((await admin('constructor')).stderr).toMatch(/^There is no command constructor\.\n\nUsage: /)
    expect((await admin('hide')).stderr).toMatch(/^The command hide takes one argument\.\n/)
    expect((await admin('hide', '1', '2')).code).toBe(2)
  })

  it('reports that there is no database, and creates none', async () => {
    const empty = createDataDir()
    onTestFinished(() => empty.remove())
    expect(await runCommand('audit', [], { DATA_DIR: empty.path })).toEqual(
      failed(`There is no database in the data folder ${empty.path}; start Papermoon once, or set another DATA_DIR.`),
    )
    expect(readdirSync(empty.path)).toEqual([])
  })

  it('reports an unreachable database or another schema version', async () => {
    const away = await runCommand('audit', [], { DATABASE_URL: 'postgres://localhost:1/none' })
    expect(away).toMatchObject({ code: 2, stdout: '' })
    expect(away.stderr).toMatch(/^Could not reach the database: .*\.\n$/)
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    expect(await versionFailure(database, sql`delete from kysely_migration where name like '0066%'`)).toMatch(
      /^The database was made by an older Papermoon \(missing migrations: 0066-reminder-mails\.compatible\); start this version once/,
    )
    expect(
      await versionFailure(database, sql`insert into kysely_migration values ('9999-later', now()::text)`),
    ).toMatch(/^The database was made by a newer Papermoon \(unknown migrations: 9999-later\)/)
  })

  it('names an invalid setting', async () => {
    const { code, stderr } = await runCommand('audit', [], { DATABASE_URL: 'mysql://x' })
    expect([code, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL must be a URL that begins with')])
  })
})

async function versionFailure(database: TestDatabase, change: ReturnType<typeof sql>): Promise<string> {
  await change.execute(database.db)
  const { code, stderr } = await runCommand('audit', [], { DATABASE_URL: database.connectionString })
  expect(code).toBe(2)
  return stderr
}
