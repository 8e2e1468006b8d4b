import type { UserId } from '@papermoon/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordAccountEvent } from '../../../src/features/account/records/account-events.ts'
import { type CommandEnd, runCommand } from '../../support/run-command.ts'
import { createTestServer, type TestServer } from '../../support/test-server.ts'

const DAY_MS = 24 * 3_600_000
const HEADER = '"at","kind","times","address","browser","detail"\r\n'
const CALLER = { ip: '203.0.113.7', userAgent: 'curl/8.5.0' }

describe('npm run admin -- events', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer({ hasJobs: true })
  })
  afterAll(() => server?.close())
  const events = (...args: string[]): Promise<CommandEnd> =>
    runCommand('admin', ['events', ...args], { DATABASE_URL: server.database.connectionString })
  const failed = (sentence: RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })

  it('lists the events of one account as CSV, newest first, with formulas escaped', async () => {
    const player = await server.player('watched')
    await server.player('another')
    const userId: UserId = await player.id()
    const at = (daysAgo: number) => ({ now: () => new Date(Date.now() - daysAgo * DAY_MS) })
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

  it('is refused for an unknown player, without a player, and with invalid days', async () => {
    expect(await events('nobody')).toEqual(failed(/^There is no player nobody\.$/m))
    for (const args of [[], ['watched', 'another'], ['watched', '--days', '0'], ['watched', '--days', '91']]) {
      expect(await events(...args)).toEqual(failed(/^The command events takes a player, and --days with 1 to 90\.$/m))
    }
    expect(await events('watched', '--hours', '1')).toEqual(failed(/^The command events takes a player/))
  })
})
