import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrateToLatest } from '@papermoon/db'
import { createBareDatabase, migrations, type TestDatabase } from '@papermoon/db/testing'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkClock, checkLocks } from '../../src/commands/doctor/check-database.ts'
import { checkProxy, judgeForwarding, judgeRoom } from '../../src/commands/doctor/check-surroundings.ts'
import { readConfig, showSettings } from '../../src/config.ts'
import { readDatabaseTime } from '../../src/database/probe-database.ts'
import { FolderLocation } from '../../src/features/backup/location.ts'
import { FORMAT, type Manifest, writeManifest } from '../../src/features/backup/manifest.ts'
import { Vault } from '../../src/features/backup/vault.ts'
import { temporaryFolder } from '../backup/support/temporary-folder.ts'
import { startMailServer } from '../support/mail-server.ts'
import { runCommand, runProgram } from '../support/run-command.ts'
import { createTestServer } from '../support/test-server.ts'

/** An address at which no server listens. */
const AWAY = '127.0.0.1:1'

async function market() {
  const made = await createTestMarket()
  onTestFinished(() => made.close())
  return made
}

/** Creates a database of an older version, without the migrations from `first` on. */
async function olderDatabase(first: string): Promise<TestDatabase> {
  const database = await createBareDatabase()
  onTestFinished(() => database.drop())
  const old = Object.entries(migrations).filter(([name]) => name < first)
  await migrateToLatest(database.db, Object.fromEntries(old))
  return database
}

describe('papermoon', () => {
  it('prints one line for an unknown command, and help for every command', { tags: 'nightly' }, async () => {
    const unknown = await runProgram(['frobnicate'], {})
    expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^There is no command.*\n$/) })
    const { stdout } = await runProgram(['--help'], {})
    const names = [...stdout.matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name)
    expect(names).toEqual(['start', 'doctor', 'config', 'admin', 'audit', 'backup', 'restore', 'upgrade'])
    for (const name of names.slice(1)) {
      const { usage } = await import(`../../src/commands/${name}.ts`)
      expect(
        usage
          .split(/ \W|\n/)[0]
          .split(' ')
          .slice(0, 3)
          .join(' '),
      ).toBe(`Usage: papermoon ${name}`)
    }
    // The help must work even with wrong settings.
    for (const name of ['start', 'admin']) {
      const help = await runProgram([name, '--help'], { PORT: 'wrong' })
      expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(`^Usage: papermoon ${name}\\b`), stderr: '' })
    }
  })
})

describe('papermoon config', () => {
  it('shows each value, its source and its errors', async () => {
    const { code, stdout } = await runCommand('config', [], { PORT: '99999', HOST: '0.0.0.0' })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^PORT +99999 {2}\(environment\) {2}WRONG: must be 0 to 65535$/m)
    expect(stdout).toMatch(/^HOST +0\.0\.0\.0 {2}\(environment\)$/m)
    expect(stdout).toMatch(/^TRUST_PROXY +off {2}\(default\)$/m)
    expect((await runCommand('config', [], {})).code).toBe(0)
    const page = await runCommand('config', ['--markdown'], { SECRETS_KEY: 'wrong' })
    expect(page).toMatchObject({ code: 0, stdout: expect.stringContaining('| `PORT` | `3000` | Port to listen on. |') })
  })

  it('shows no secret, not even in a wrong setting', () => {
    const whole = ['BACKUP_S3_SECRET_KEY', 'SECRETS_KEY', 'BACKUP_KEY', 'METRICS_TOKEN']
    const addresses = {
      DATABASE_URL: 'postgres://ada:hunter2@db/papermoon?sslpassword=hunter2',
      READ_DATABASE_URL: 'postgres://ada:hunt@er2/hunter2@db/x',
      REDIS_URL: 'redis://:hunter2@cache:6379',
      SMTP_URL: 'smtps://ada:hunter2@mail.example.org',
      S3_URL: 'http://ada:hunter2@minio/papermoon',
      BACKUP_S3_ENDPOINT: 'http://minio',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2',
    }
    const shown = showSettings({ ...Object.fromEntries(whole.map((name) => [name, 'hunter2'])), ...addresses })
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|er2/)
    expect(shown.find(({ name }) => name === 'DATABASE_URL')?.value).toBe(
      'postgres://ada:(hidden)@db/papermoon?sslpassword=(hidden)',
    )
  })
})

describe('papermoon doctor', () => {
  it('finds nothing wrong with a healthy market', async () => {
    const [{ connectionString }, mail] = [await market(), await startMailServer()]
    onTestFinished(() => mail.close())
    const env = { DATABASE_URL: connectionString, DATA_DIR: temporaryFolder(), SMTP_URL: mail.url }
    await runCommand('audit', [], env)
    const { code, stdout } = await runCommand('doctor', [], env)
    expect(stdout).not.toMatch(/^wrong/m)
    expect(stdout).toMatch(/The mail server responds\.\n.*\n?[\s\S]*found no differences\.\nFound no problems\.\n$/)
    expect(code).toBe(0)
  })

  it('names services that do not respond, missing files and the results of an audit, each with a link to its page', async () => {
    const { connectionString, db } = await market()
    await sql`insert into audits (started_at, finished_at, trades, tokens, players, differences)
      values (now(), now(), 1, 1, 1, 2)`.execute(db)
    const backups = temporaryFolder()
    const { code, stdout } = await runCommand('doctor', [], {
      DATABASE_URL: connectionString,
      DATA_DIR: temporaryFolder(),
      PUBLIC_URL: 'https://papermoon.example',
      S3_URL: `http://key:secret@${AWAY}/papermoon`,
      SMTP_URL: `smtp://${AWAY}`,
      REDIS_URL: `redis://${AWAY}`,
      BACKUP_TO: backups,
    })
    const found = stdout.split('\n').filter((line) => line.startsWith('wrong'))
    expect(found).toEqual([
      expect.stringMatching(/TRUST_PROXY names none/),
      expect.stringMatching(/Pictures cannot be stored in the bucket papermoon of S3_URL: .*ECONNREFUSED/),
      expect.stringMatching(/The mail server of SMTP_URL does not accept email: .*ECONNREFUSED/),
      expect.stringMatching(/The Redis of REDIS_URL does not respond: .*ECONNREFUSED/),
      `wrong  There is no backup in ${backups}.`,
      'wrong  The last audit was less than an hour ago and found 2 differences.',
    ])
    expect(stdout.match(/^ +See docs\/operations\/\S+\.md/gm)).toHaveLength(found.length)
    expect(stdout).toMatch(/\nFound 6 problems\.\n$/)
    expect(code).toBe(1)
  })

  it('reports a wrong setting, a folder that is not writable, and a database that is away or older', async () => {
    expect(await runCommand('doctor', [], { PORT: 'moon' })).toEqual({
      code: 1,
      stderr: '',
      stdout: 'wrong  PORT must be a port number.\n       See docs/operations/settings.md\nFound 1 problem.\n',
    })
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const away = await runCommand('doctor', [], { DATABASE_URL: `postgres://${AWAY}/x`, DATA_DIR: join(file, 'data') })
    expect(away).toMatchObject({ code: 1, stderr: '' })
    expect(away.stdout).toMatch(/^wrong {2}Pictures cannot be stored in the folder .*ENOTDIR/m)
    expect(away.stdout).toMatch(/^wrong {2}Could not reach the database: .*ECONNREFUSED/m)
    const { connectionString } = await olderDatabase('0064')
    const older = await runCommand('doctor', [], { DATABASE_URL: connectionString, DATA_DIR: temporaryFolder() })
    expect(older.stdout).toMatch(/^wrong {2}The database lacks .* 0064-leagues\.compatible.*\. Run papermoon upgrade/m)
  })

  it('reports which headers the proxy forwards', async () => {
    const server = await createTestServer({ env: { TRUST_PROXY: '127.0.0.1' } })
    const see = async (headers: Record<string, string>) =>
      String((await server.fastify.inject({ url: '/healthz', headers })).headers['papermoon-seen-as'])
    const judge = async (headers: Record<string, string>) =>
      judgeForwarding(await see(headers), { trustProxy: ['127.0.0.1'] }).map(({ state, text }) => `${state} ${text}`)
    const made = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'doctor.invalid' }
    const own = { 'x-forwarded-for': '192.0.2.1, 203.0.113.7' }
    expect(await judge(own)).toEqual(['ok The proxy forwards the IP addresses of callers.'])
    expect(await judge({})).toEqual([expect.stringMatching(/^wrong The proxy sends no X-Forwarded-For/)])
    expect(await judge(made)).toEqual([
      expect.stringMatching(/^wrong The proxy passes on X-Forwarded-Host/),
      expect.stringMatching(/^note A made-up X-Forwarded-For was believed/),
    ])
    const away = readConfig({ PUBLIC_URL: 'https://papermoon.invalid', TRUST_PROXY: '127.0.0.1' })
    expect(await checkProxy(away)).toMatchObject([
      { state: 'note', text: expect.stringContaining('Could not reach PUBLIC_URL') },
    ])
    await server.close()
  })

  it('reports that backups are old', async () => {
    const { connectionString } = await market()
    const backups = temporaryFolder()
    const position = { system: '7', timeline: 1, lsn: 1, at: new Date('2026-01-31T04:00:00.000Z') }
    const id = '2026-01-31T04-00-00-000Z'
    const verified = { trades: 0, tokens: 0, players: 0, differences: 0 }
    const rows = { base: null, files: {}, tables: [], sequences: [], bytes: 0, plainBytes: 0, migrations: [] }
    const manifest: Manifest = {
      format: FORMAT,
      id,
      position,
      ...rows,
      pictures: 'pictures',
      unusedPictures: [],
      verified,
    }
    await writeManifest(new Vault(new FolderLocation(backups), []), manifest)
    const env = { DATABASE_URL: connectionString, DATA_DIR: temporaryFolder(), BACKUP_TO: backups }
    const { stdout } = await runCommand('doctor', [], env)
    expect(stdout).toMatch(/^wrong {2}The newest backup in .* is \d+ days old, but BACKUP_EVERY_HOURS is 24\.$/m)
  })

  it('names the process that holds a lock others wait for, a wrong clock, and a full disk', async () => {
    const database = await market()
    const [holder, waiter] = [await database.pool.connect(), await database.pool.connect()]
    const config = readConfig({})
    // Release both connections even if the test fails, because the pool waits for them when it closes.
    onTestFinished(() => {
      for (const client of [holder, waiter]) client.release(true)
    })
    await holder.query('set idle_in_transaction_session_timeout = 0; begin; lock table tokens')
    await waiter.query('set lock_timeout = 0; set statement_timeout = 0')
    const waiting = waiter.query('begin; lock table tokens').catch(() => {})
    await vi.waitFor(
      async () => {
        const [{ text } = { text: '' }] = await checkLocks({ config, database })
        expect(text).toMatch(/^1 statement of the database waits for a lock of process \d+ \(.+\), held for \d+ s\.$/)
      },
      { timeout: 60_000, interval: 500 },
    )
    await holder.query('rollback')
    await waiting
    const there = (await readDatabaseTime(database.db)).getTime()
    const [clock] = await checkClock({ database }, () => there - 60_000)
    expect(clock).toMatchObject({ state: 'wrong', text: expect.stringMatching(/are \d+ s apart/) })
    expect(judgeRoom('/data', 3e8)).toMatchObject({ state: 'wrong', text: 'The disk of /data has 0.3 GB left.' })
  })
})

describe('papermoon upgrade', () => {
  it('backs up and migrates while a server runs if every migration allows it', { tags: 'nightly' }, async () => {
    const { connectionString, pool } = await olderDatabase('0064')
    // A connection with this application name counts as a running server of the older version.
    const server = await pool.connect()
    await server.query(`set application_name = 'papermoon'`)
    const env = { DATABASE_URL: connectionString, DATA_DIR: temporaryFolder(), BACKUP_TO: temporaryFolder() }
    const { code, stdout, stderr } = await runCommand('upgrade', ['--logical'], env)
    server.release(true)
    expect(stderr).toBe('')
    expect(stdout).toMatch(
      /^To migrate: 0064-leagues\.compatible, 0065-reminders\.compatible, 0066-reminder-mails\.compatible, 0067-bots-losses-count\.compatible, 0068-arena-stickers\.compatible\.\nThis needs no pause/,
    )
    expect(stdout).toMatch(/every sum is exact\nThe logical export \S+ is in \S+\.\n\d+ migrations done\./)
    expect(code).toBe(0)
    expect((await runCommand('upgrade', [], env)).stdout).toMatch(/^The database matches this version/)
  })

  it('fails while a server runs if a migration needs a pause, and without a location for the backup', async () => {
    const { connectionString, pool, db } = await olderDatabase('0000')
    const env = { DATABASE_URL: connectionString, DATA_DIR: temporaryFolder() }
    const server = await pool.connect()
    await server.query(`set application_name = 'papermoon'`)
    const refused = await runCommand('upgrade', ['--no-backup'], env)
    expect(refused.stdout).toMatch(/^To migrate: 0001-launchpad, .*\nThis needs a pause/)
    expect(refused.stderr).toBe(
      'Nothing was migrated, because a server still uses this database. Stop every server first.\n',
    )
    server.release(true)
    expect((await runCommand('upgrade', [], env)).stderr).toMatch(/^Name a destination for the backup/)
    const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db)
    expect(rows[0]?.name).toBe(null)
    expect((await runCommand('upgrade', ['--no-backup'], env)).code).toBe(0)
  })
})
