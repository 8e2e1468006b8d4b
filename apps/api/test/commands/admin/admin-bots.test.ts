import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHARACTERS } from '@papermoon/bots'
import { createTestDatabase } from '@papermoon/db/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../support/run-command.ts'

const fox = { name: 'Foxy Fern', emoji: '🦊', about: 'I follow.' }
const owl = { name: 'Owl', emoji: '🦉', about: 'I wait.' }

const database = await createTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'papermoon-bots-'))
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

const admin = (...args: string[]) => runCommand('admin', ['bots', ...args], { DATABASE_URL: database.connectionString })

function writeBotsFile(content: unknown): string {
  const path = join(folder, 'bots.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('npm run admin -- bots', () => {
  it('creates, lists and retires house bots, and renews their keys', async () => {
    const created = await admin('create', writeBotsFile([fox, owl]), '--json')
    const keys: { name: string; key: string }[] = JSON.parse(created.stdout)
    expect(keys.map(({ name }) => name)).toEqual([fox.name, owl.name])
    const renewed = await admin('keys')
    expect(renewed).toMatchObject({ code: 0, stdout: expect.stringContaining('2 keys. They are shown only now.') })
    for (const { key } of keys) expect(renewed.stdout).not.toContain(key)
    expect(await admin('retire', 'FOXY fern')).toMatchObject({
      code: 0,
      stdout: '1 bot retired. They keep what they hold.\n',
    })
    const listed = await admin('list')
    expect(listed.stdout).toMatch(
      /🦊 Foxy Fern: 1000\.000000000 SOL of 1000\.000000000 SOL granted, retired\n.*🦉 Owl: [^,]*\n/,
    )
  })

  it('creates nothing from a list with an error, and names the error', async () => {
    const faults: readonly [unknown, RegExp][] = [
      ['{', /must be a JSON list of 1 to 200 bots/],
      [[], /must be a JSON list of 1 to 200 bots/],
      [[{ ...fox, name: 'New', emoji: 'x' }], /emoji must be one emoji/],
      [[{ ...fox, name: 'New' }, owl], /already taken/],
    ]
    for (const [content, reason] of faults) {
      expect(await admin('create', writeBotsFile(content))).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(reason),
      })
    }
    expect(await admin('retire', 'nobody')).toMatchObject({ code: 2, stderr: 'There is no house bot nobody.\n' })
    expect(await admin('retire')).toMatchObject({ code: 2, stderr: expect.stringContaining('bots retire') })
    const { rows } = await database.pool.query('select username from users order by id')
    expect(rows).toEqual([{ username: fox.name }, { username: owl.name }])
  })

  it('creates the bots of the demo world without a list', async () => {
    const created = await admin('create', '--json')
    const keys: { name: string }[] = JSON.parse(created.stdout)
    expect(keys.map(({ name }) => name)).toEqual(CHARACTERS.map(({ name }) => name))
  })
})
