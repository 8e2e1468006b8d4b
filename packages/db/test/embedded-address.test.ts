// @module-tag nightly
import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { connect, type DatabaseAddress } from '../src/client.ts'
import { findEmbeddedAddress } from '../src/embedded/embedded-address.ts'
import { startEmbedded } from '../src/embedded/start-embedded.ts'
import { NoDatabaseError } from '../src/errors.ts'
import { spawnFixture } from './fixtures/spawn-fixture.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

it('finds the embedded server of another process and can connect', async () => {
  const dataDir = temporaryFolder()
  const owner = spawnFixture('embedded-process.ts', dataDir)
  onTestFinished(async () => {
    owner.child.kill('SIGINT')
    await owner.ended
  })
  await owner.line()
  const address = findEmbeddedAddress(dataDir) as DatabaseAddress
  const client = connect(address)
  onTestFinished(() => client.close())
  const { rows } = await sql`select current_user as me`.execute(client.db)
  expect(rows).toEqual([{ me: 'papermoon' }])
})

it('returns null while no server runs', async () => {
  const dataDir = temporaryFolder()
  const server = await startEmbedded({ dataDir })
  expect(findEmbeddedAddress(dataDir)).toEqual(server.address)
  await server.stop()
  expect(findEmbeddedAddress(dataDir)).toBeNull()
})

it('rejects a folder without a database, and creates nothing in it', () => {
  const dataDir = temporaryFolder()
  expect(() => findEmbeddedAddress(dataDir)).toThrow(NoDatabaseError)
  expect(readdirSync(dataDir)).toEqual([])
})
