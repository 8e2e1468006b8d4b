import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeRoom } from '../support/fairs.ts'
import { registration, shareTestServer } from '../support/test-server.ts'

const FREE = 10

let players = 0
const server = await shareTestServer({ env: { RATE_LIMIT: 'on' } })
const host = await server.player('host')

const register = async (more: object = {}) => {
  const answer = await server.visitor().post('/api/auth/register', { ...registration(`guest-${++players}`), ...more })
  return answer.statusCode
}

const ageHost = (hours: number) =>
  sql`update users set created_at = now() - ${hours} * interval '1 hour' where username = 'host'`.execute(server.db)
const findEntrants = async (id: number) =>
  (await sql`select from fairs.accounts where fair_id = ${id}`.execute(server.db)).rows.length

it('a class registers from one address without work by the link of a room, and each takes one of its places', async () => {
  await ageHost(25)
  const { id, invite } = await makeRoom(host)
  for (let n = 0; n < 3 * FREE; n++) expect(await register({ invite })).toBe(201)
  expect(await findEntrants(id)).toBe(1 + 3 * FREE)
  const places = 3 + (await findEntrants(id))
  await server.db.updateTable('fairs').set({ entrants_max: places }).where('id', '=', id).execute()
  // Those at once that find no place are told so, or count as others do.
  await Promise.all(Array.from({ length: 6 }, () => register({ invite })))
  expect(await findEntrants(id)).toBe(places)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from users`.execute(server.db)
  // A code of no room, one of a full room, and none count alike; the host was the first.
  for (let n = rows[0]?.n ?? 0; n < places + FREE - 1; n++) {
    expect(await register([{ invite }, { invite: 'a'.repeat(22) }, {}][n % 3])).toBe(201)
  }
  for (const more of [{ invite }, { invite: 'a'.repeat(22) }, {}]) expect(await register(more)).toBe(429)
  const young = (await makeRoom(host)).invite
  await ageHost(1)
  expect(await register({ invite: young })).toBe(429)
  await ageHost(25)
  expect(await register({ invite: young })).toBe(201)
})
