import { createHash } from 'node:crypto'
import { ManualTimers } from '@papermoon/engine/testing'
import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkFairs, createFairKeeper } from '../../src/features/fairs/keep-fairs.ts'
import { bellMoment, commitOf, planFairs, scheduleFairs } from '../../src/features/fairs/schedule.ts'
import { becomes, makeRoom, openRoom } from '../support/fairs.ts'
import { shareTestServer } from '../support/test-server.ts'

const TICK_MS = 250

const server = await shareTestServer()

const plan = (time: string) => planFairs(Date.parse(`2026-11-26T${time}Z`))
const show = (time: string) => plan(time).map(({ name, startMs }) => [name, new Date(startMs).toISOString()])

describe('the scheduled fairs', () => {
  it('are an arena each hour, and a rug night at 20:00', () => {
    expect(show('18:55:00')).toEqual([
      ['Arena 19:00 UTC', '2026-11-26T19:00:00.000Z'],
      ['Rug night 20:00 UTC', '2026-11-26T20:00:00.000Z'],
    ])
  })

  it('open their lobby ten minutes before the start, and the next one always exists', () => {
    const [now, next] = plan('18:50:00')
    expect(new Date(now?.lobbyMs ?? 0).toISOString()).toBe('2026-11-26T18:50:00.000Z')
    expect(next?.name).toBe('Rug night 20:00 UTC')
    expect(show('19:20:00')[0]?.[0]).toBe('Rug night 20:00 UTC')
  })

  it('are created once, and use up no further ids', async () => {
    const nowMs = Date.parse('2026-11-26T18:55:00Z')
    const count = async () => (await server.db.selectFrom('fairs').select('id').where('id', '>', 1).execute()).length
    await Promise.all([scheduleFairs(server.db, nowMs), scheduleFairs(server.db, nowMs)])
    expect(await count()).toBe(2)
    // Move the start of a fair, as if it had opened late.
    await server.db.updateTable('fairs').set({ starts_at: new Date() }).where('id', '>', 1).execute()
    for (let times = 0; times < 3; times++) await scheduleFairs(server.db, nowMs)
    expect(await count()).toBe(2)
    await scheduleFairs(server.db, nowMs + 3_600_000)
    const ids = await server.db.selectFrom('fairs').select('id').where('id', '>', 1).orderBy('id').execute()
    expect(ids.map(({ id }) => id).at(-1)).toBeLessThanOrEqual(6)
    expect(ids).toHaveLength(3)
  })
})

const ENDS_AT = new Date('2026-03-01T13:15:00.000Z')

describe('the bell of a fair', () => {
  it('is at the time of the published formula', () => {
    const secret = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
    const hash = createHash('sha256')
      .update(Buffer.concat([Buffer.from('papermoon bell\n'), secret]))
      .digest('hex')
    const early = (60_000n * BigInt(`0x${hash.slice(0, 12)}`)) / 2n ** 48n
    expect(bellMoment(secret, ENDS_AT, 60).getTime()).toBe(ENDS_AT.getTime() - Number(early) - 1)
    expect(commitOf(secret)).toBe(createHash('sha256').update(secret).digest('hex'))
  })

  it('is within its window, or at the end if there is no window', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 32 }),
        fc.integer({ min: 0, max: 3_600 }),
        (secret, windowS) => {
          const earlyMs = ENDS_AT.getTime() - bellMoment(secret, ENDS_AT, windowS).getTime()
          expect(earlyMs).toBeGreaterThanOrEqual(0)
          expect(earlyMs).toBeLessThanOrEqual(windowS * 1000)
        },
      ),
    )
  })

  it('is evenly distributed in its window: each tenth gets its share of 10,000 secrets', () => {
    const counts = Array.from({ length: 10 }, () => 0)
    for (let n = 0; n < 10_000; n++) {
      const secret = Buffer.alloc(4)
      secret.writeUInt32BE(n)
      const earlyMs = ENDS_AT.getTime() - bellMoment(secret, ENDS_AT, 60).getTime()
      const tenth = Math.min(9, Math.floor(earlyMs / 6_000))
      counts[tenth] = (counts[tenth] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })
})

async function addFair(inMs: number): Promise<void> {
  await sql`
    insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, secret, entrants_max)
    values ('arena', ${`Arena in ${inMs}`}, 100, now() + ${inMs} * interval '1 ms', now() + ${inMs} * interval '1 ms',
      now() + interval '1 day', sha256(random()::text::bytea), 500)`.execute(server.db)
}

it('the fairs are read when one is due or was created, and rarely otherwise', async () => {
  await server.db.deleteFrom('fairs').where('id', '>', 1).execute()
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
  const timers = new ManualTimers()
  const platform = {
    ...app.platform,
    timers,
    db: app.platform.db.withPlugin(count),
    config: { ...app.platform.config, fairs: false },
  }
  const look = createFairKeeper({ ...app, platform })
  const { signal } = new AbortController()
  /** Returns the number of queries in `ticks` ticks. */
  const countQueries = async (ticks: number) => {
    queries = 0
    for (let n = 0; n < ticks; n++) {
      timers.pass(TICK_MS)
      await look(signal)
    }
    return queries
  }
  await look(signal)
  expect(await countQueries(28)).toBeLessThanOrEqual(4 * 2)
  await addFair(0)
  checkFairs(app)
  expect(await countQueries(1)).toBeGreaterThan(0)
})

describe('a fair on a server that was down', () => {
  /** Moves the fair's times into the past. */
  const moveBack = (id: number, planned: string) =>
    sql`
      update fairs set created_at = now() - interval '1 day', starts_at = now() - ${planned}::interval,
             ends_at = now() + interval '1 hour' where id = ${id}`.execute(server.db)

  it('at its start begins late with its players, and has a note about it', async () => {
    const host = await server.player()
    const { id } = await makeRoom(host, [await server.player()])
    await moveBack(id, '20 seconds')
    const note = expect.stringMatching(/^This fair started \d+ seconds late, because the server was down\.$/)
    await becomes(server, host, id, { state: 'open', note, entrants: 2 })
  })

  it('does not start if it is an arena and the start was long ago', async () => {
    const [row] = (
      await sql<{ id: number }>`
        insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, secret, entrants_max)
        values ('arena', 'Missed', 100, now(), now(), now() + interval '15 minutes', sha256('missed'), 500)
        returning id`.execute(server.db)
    ).rows
    const { id = 0 } = row ?? {}
    await moveBack(id, '50 minutes')
    const note = 'This fair did not start, because the server was down at its start time.'
    await becomes(server, await server.player(), id, { state: 'void', note })
  })

  it('for more than a tenth of its duration is void, and has a note about it', async () => {
    const host = await server.player()
    const { id } = await openRoom(host)
    await sql`
      update fairs set starts_at = now() - interval '10 minutes', bell_at = now(), lost_ms = 0,
             seen_at = now() - interval '2 minutes' where id = ${id}`.execute(server.db)
    const note = 'This fair does not count, because the server was down for 120 seconds.'
    await server.tick('fairs')
    expect((await host.get(`/api/fairs/${id}`)).json()).toMatchObject({ state: 'void', note })
  })
})
