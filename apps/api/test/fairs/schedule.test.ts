import { createTestDatabase } from '@papermoon/db/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { planFairs, scheduleFairs } from '../../src/features/fairs/schedule.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

const plan = (time: string) => planFairs(Date.parse(`2026-11-26T${time}Z`))
const show = (time: string) => plan(time).map(({ name, startMs }) => [name, new Date(startMs).toISOString()])

describe('the fairs of the house', () => {
  it('are an arena each hour, and a rug night at 20:00', () => {
    expect(show('18:55:00')).toEqual([
      ['Arena 19:00 UTC', '2026-11-26T19:00:00.000Z'],
      ['Rug night 20:00 UTC', '2026-11-26T20:00:00.000Z'],
    ])
  })

  it('have a lobby ten minutes before, and the next one is always known', () => {
    const [now, next] = plan('18:50:00')
    expect(new Date(now?.lobbyMs ?? 0).toISOString()).toBe('2026-11-26T18:50:00.000Z')
    expect(next?.name).toBe('Rug night 20:00 UTC')
    expect(show('19:20:00')[0]?.[0]).toBe('Rug night 20:00 UTC')
  })

  it('are written once, and use up no ids after that', async () => {
    const nowMs = Date.parse('2026-11-26T18:55:00Z')
    const count = async () => (await database.db.selectFrom('fairs').select('id').where('id', '>', 1).execute()).length
    await Promise.all([scheduleFairs(database.db, nowMs), scheduleFairs(database.db, nowMs)])
    expect(await count()).toBe(2)
    // As if one of them had opened late meanwhile.
    await database.db.updateTable('fairs').set({ starts_at: new Date() }).where('id', '>', 1).execute()
    for (let times = 0; times < 3; times++) await scheduleFairs(database.db, nowMs)
    expect(await count()).toBe(2)
    await scheduleFairs(database.db, nowMs + 3_600_000)
    const ids = await database.db.selectFrom('fairs').select('id').where('id', '>', 1).orderBy('id').execute()
    expect(ids.map(({ id }) => id).at(-1)).toBeLessThanOrEqual(6)
    expect(ids).toHaveLength(3)
  })
})
