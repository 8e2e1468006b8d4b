import { procedures } from '@papermoon/contract'
import { sql } from 'kysely'
import { createTestServer, type TestServer, type Visitor } from './test-server.ts'

/** The procedures of moderators and operators. */
export const ADMIN = [...procedures].filter(([path]) => path.startsWith('admin.'))

/** Returns a server with a moderator, an operator and a reported player. */
export async function openModerated() {
  const server = await createTestServer()
  const mod = await moderator(server, 'mod-one')
  const boss = await moderator(server, 'boss', 'operator')
  const rude = await server.player('rude')
  return { server, mod, boss, rude, rudeId: await ageAccount(server, rude) }
}

/** Returns the data of a moderator's query. */
export const readData = async (visitor: Visitor, path: string, input?: unknown) =>
  (await visitor.query(path, input)).json().result.data.json

/** Returns the id of the log row from the response of an action. */
export const logIdOf = (answer: Awaited<ReturnType<Visitor['mutate']>>): number => answer.json().result.data.json.logId

/** Returns a player with a role, a second factor and a newly confirmed session. */
export async function moderator(
  server: TestServer,
  name: string,
  role: 'moderator' | 'operator' = 'moderator',
): Promise<Visitor> {
  const player = await server.player(name)
  const id = await player.id()
  await sql`update users set role = ${role} where id = ${id}`.execute(server.db)
  await sql`insert into totp_secrets (user_id, sealed, created_at, enabled_at) values (${id}, '', now(), now())`.execute(
    server.db,
  )
  await proveFactor(server, id)
  return player
}

/** Marks a session as confirmed now, by the server's clock. */
export async function proveFactor(server: TestServer, userId: number): Promise<void> {
  const now = server.app.platform.clock.now()
  await sql`update sessions set factor_at = ${now} where user_id = ${userId}`.execute(server.db)
}

/** Makes an account older than a day, so that the rules for new accounts do not apply. */
export async function ageAccount(server: TestServer, visitor: Visitor): Promise<number> {
  const id = await visitor.id()
  await sql`update users set created_at = now() - interval '3 days' where id = ${id}`.execute(server.db)
  return id
}
