import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeRoom } from '../support/fairs.ts'
import { createTestServer, registration, type TestServer, type Visitor } from '../support/test-server.ts'

const FREE = 10

let server: TestServer
let host: Visitor
let players = 0
beforeAll(async () => {
  server = await createTestServer({ env: { RATE_LIMIT: 'on' } })
  host = await server.player('host')
})
afterAll(() => server?.close())

const register = async (more: object = {}) => {
  const answer = await server.visitor().post('/api/auth/register', { ...registration(`guest-${++players}`), ...more })
  return answer.statusCode
}

it('a class registers from one address without work by the link of a room, as long as the room has places', async () => {
  const { id, invite } = await makeRoom(host)
  for (let n = 0; n < 3 * FREE; n++) expect(await register({ invite })).toBe(201)
  await server.db.updateTable('fairs').set({ entrants_max: 1 }).where('id', '=', id).execute()
  // A code of no room, one of a full room, and none count alike; the host was the first.
  for (let n = 1; n < FREE; n++) {
    expect(await register([{ invite }, { invite: 'a'.repeat(22) }, {}][n % 3])).toBe(201)
  }
  for (const more of [{ invite }, { invite: 'a'.repeat(22) }, {}]) expect(await register(more)).toBe(429)
})
