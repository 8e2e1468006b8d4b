import { setTimeout as sleep } from 'node:timers/promises'
import { type KyselyPlugin, sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { lookAtFairs, startKeepingFairs } from '../../src/features/fairs/keep-fairs.ts'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer({ hasJobs: true })

const TICK_MS = 250

async function addFair(inMs: number): Promise<void> {
  await sql`
    insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, secret, entrants_max)
    values ('arena', ${`Arena in ${inMs}`}, 100, now() + ${inMs} * interval '1 ms', now() + ${inMs} * interval '1 ms',
      now() + interval '1 day', sha256(random()::text::bytea), 500)`.execute(server.db)
}

it('the fairs are looked at when something is due, when one was made, and rarely else', async () => {
  await addFair(3_600_000)
  let queries = 0
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { app } = server
  const platform = {
    ...app.platform,
    db: app.platform.db.withPlugin(count),
    config: { ...app.platform.config, fairs: false },
  }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const job = startKeepingFairs({ ...app, platform })
  const passTicks = async (ticks: number) => {
    for (let n = 0; n < ticks; n++) {
      vi.advanceTimersByTime(TICK_MS)
      await sleep(20)
    }
  }
  try {
    await sleep(500)
    queries = 0
    await passTicks(28)
    expect(queries).toBeLessThanOrEqual(4 * 2)
    await addFair(0)
    queries = 0
    lookAtFairs({ platform })
    await passTicks(1)
    for (let n = 0; n < 100 && queries === 0; n++) await sleep(50)
    expect(queries).toBeGreaterThan(0)
  } finally {
    vi.useRealTimers()
    await job.stop()
  }
})
