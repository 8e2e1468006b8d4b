import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { hide } from '../../src/commands/admin/moderate.ts'
import { forgetViewers, watchToken } from '../../src/features/tokens/watch.ts'
import { createTestServer, shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer()

it('counts a network once for all its tabs and nodes, and no longer when it is away', async () => {
  const tokenId = (await (await server.player()).launch()) as never
  const watch = async (ip: string) => (await watchToken(server.app, tokenId, ip)).watching
  const visitor = await server.visitor().post(`/api/tokens/${tokenId}/watch`, {})
  expect(visitor.json()).toEqual({ watching: 1 })
  expect([await watch('203.0.113.1'), await watch('203.0.113.1')]).toEqual([2, 2])
  expect([await watch('2001:db8:1::1'), await watch('2001:db8:1:9::2')]).toEqual([3, 3])
  await Promise.all(Array.from({ length: 40 }, (_, index) => watch(`198.51.100.${index % 20}`)))
  expect(await watch('203.0.113.1')).toBe(20)
  server.passTime(6_000)
  await sql`update watchers set seen_at = seen_at - interval '1 minute'`.execute(server.db)
  expect(await watch('203.0.113.9')).toBe(1)
  await forgetViewers(server.app)
  const left = await server.db.selectFrom('watchers').selectAll().execute()
  expect(left).toHaveLength(1)
  expect(left[0]?.viewer.toString()).not.toContain('203.0.113.9')
})

it('reads the count every five seconds, and stores a network’s visit every ten seconds', async () => {
  const tokenId = (await (await server.player()).launch()) as never
  const watch = async (ip: string) => (await watchToken(server.app, tokenId, ip)).watching
  for (let n = 1; n <= 42; n++) await watch(`198.51.100.${n}`)
  const seenIn = async (seconds: number) =>
    await sql`update watchers set seen_at = clock_timestamp() + make_interval(secs => ${seconds})`.execute(server.db)
  const readSeen = async () => await server.db.selectFrom('watchers').select('seen_at').orderBy('seen_at').execute()
  await seenIn(60)
  const seen = await readSeen()
  server.passTime(6_000)
  expect(await watch('198.51.100.1')).toBe(40)
  expect(await readSeen()).toEqual(seen)
  // Move the clock back, so that the cached count is not five seconds old even in a slow test.
  server.passTime(-600_000)
  await seenIn(-60)
  expect(await watch('198.51.100.1')).toBe(40)
  server.passTime(606_000)
  expect(await watch('198.51.100.1')).toBe(1)
})

it('counts as ten calls, so that nobody can write thousands of rows', async () => {
  const limited = await createTestServer({ env: { RATE_LIMIT: 'on' } })
  const tokenId = await (await limited.player()).launch()
  const visitor = limited.visitor()
  const watch = () => visitor.post(`/api/tokens/${tokenId}/watch`, {})
  const statuses: number[] = []
  for (let call = 0; call < 140; call++) statuses.push((await watch()).statusCode)
  expect(statuses.lastIndexOf(200)).toBe(132)
  expect((await watch()).body).toContain('Too many requests')
  await limited.close()
})

it('returns 404 for a hidden token', async () => {
  const tokenId = await (await server.player()).launch()
  await hide(server.database, String(tokenId))
  expect((await server.visitor().post(`/api/tokens/${tokenId}/watch`, {})).statusCode).toBe(404)
})
