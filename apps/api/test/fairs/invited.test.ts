import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { takeSeat } from '../../src/features/fairs/enter.ts'
import { solved } from '../support/factors/solve-proof-of-work.ts'
import { makeRoom } from '../support/fairs.ts'
import { registration, shareTestServer } from '../support/test-server.ts'

const FREE = 10

let players = 0
const server = await shareTestServer({ env: { RATE_LIMIT: 'on' } })
const host = await server.player('host')

const register = async (more: object = {}) =>
  await server.visitor().post('/api/auth/register', { ...registration(`guest-${++players}`), ...more })
/** Registers a player with the proof of work that the first response asks for. */
const registerWithWork = async (more: object) => {
  const account = { ...registration(`guest-${++players}`), ...more }
  const refused = await server.visitor().post('/api/auth/register', account)
  expect([refused.statusCode, refused.headers['proof-of-work-challenge']]).toEqual([429, expect.any(String)])
  return await server.visitor().post('/api/auth/register', account, await solved(refused))
}

const ageHost = (hours: number) =>
  sql`update users set created_at = now() - ${hours} * interval '1 hour' where username = 'host'`.execute(server.db)
const findEntrants = async (id: number) =>
  (await sql`select from fairs.accounts where fair_id = ${id}`.execute(server.db)).rows.length

it('a registration with a room’s link takes one of its places, and has the same rate limit as any other', async () => {
  await ageHost(25)
  const { id, invite } = await makeRoom(host)
  const young = await makeRoom(host)
  // The host was the first registration from this IP address.
  for (let n = 1; n < FREE - 3; n++) expect((await register({ invite })).statusCode).toBe(201)
  expect(await findEntrants(id)).toBe(1 + FREE - 4)
  const places = 1 + (await findEntrants(id))
  await server.db.updateTable('fairs').set({ entrants_max: places }).where('id', '=', id).execute()
  // Concurrent registrations that find no free place fail, or create an account outside the room.
  await Promise.all(Array.from({ length: 4 }, () => register({ invite })))
  expect(await findEntrants(id)).toBe(places)
  const { rows } = await sql<{ id: UserId }>`select max(id) as id from users`.execute(server.db)
  const late = server.db.transaction().execute((tx) => takeSeat(tx, invite, rows[0]?.id as UserId))
  await expect(late).rejects.toMatchObject({ code: 'BUSY' })
  await server.db
    .updateTable('fairs')
    .set({ entrants_max: places + 1 })
    .where('id', '=', id)
    .execute()
  for (const more of [{ invite }, { invite: 'a'.repeat(22) }, {}]) expect((await register(more)).statusCode).toBe(429)
  await sql`update fairs set host_id = (select max(id) from users) where id = ${young.id}`.execute(server.db)
  expect((await registerWithWork({ invite: young.invite })).statusCode).toBe(201)
  expect((await registerWithWork({ invite })).statusCode).toBe(201)
  expect([await findEntrants(id), await findEntrants(young.id)]).toEqual([places + 1, 1])
})
