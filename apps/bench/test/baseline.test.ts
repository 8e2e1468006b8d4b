import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, needs, type TestDatabase } from '@papermoon/db/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { pgbenchVersion, startBaseline } from '../src/engine/start-baseline.ts'
import { BENCH_FOLDER } from '../src/paths.ts'

const SIZE = { tokens: 2, players: 4 }
const PLAN = { ...SIZE, inFlight: 2, seconds: 1 }

describe('the baseline of the engine', () => {
  let database: TestDatabase
  let notes: string[]
  beforeEach(async () => {
    mkdirSync(BENCH_FOLDER, { recursive: true })
    database = await createTestDatabase()
    notes = []
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await database.drop()
  })

  async function drive() {
    const context = { note: (_name: string, value: string | number) => void notes.push(String(value)) }
    const driver = await startBaseline(context, database.address, SIZE)
    try {
      return await driver.drive(PLAN)
    } finally {
      await driver.stop()
    }
  }

  it('trades by pgbench', needs('pgbench', pgbenchVersion() !== null), async () => {
    expect((await drive()).perSecond).toBeGreaterThan(0)
    expect(notes).toEqual([expect.stringContaining('pgbench')])
  })

  it('trades by a driver in Node', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'papermoon-path-'))
    onTestFinished(() => rmSync(empty, { recursive: true }))
    vi.stubEnv('PATH', empty)
    expect((await drive()).perSecond).toBeGreaterThan(0)
    expect(notes).toEqual(['Node'])
  })
})
