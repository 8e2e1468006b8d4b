import { sql } from 'kysely'
import type { TestServer, Visitor } from './test-server.ts'

/** A player with a role, a second factor and a session that was confirmed with it just now. */
export async function moderator(
  server: TestServer,
  name: string,
  role: 'moderator' | 'operator' = 'moderator',
): Promise<Visitor> {
  const player = await server.player(name)
  const { id } = (await player.get('/api/auth/user')).json()
  await sql`update users set role = ${role} where id = ${id}`.execute(server.db)
  await sql`insert into totp_secrets (user_id, sealed, created_at, enabled_at) values (${id}, '', now(), now())`.execute(
    server.db,
  )
  await proveFactor(server, id)
  return player
}

/** As if the player had entered a code now, by the server's clock. */
export async function proveFactor(server: TestServer, userId: number): Promise<void> {
  const now = server.app.platform.clock.now()
  await sql`update sessions set factor_at = ${now} where user_id = ${userId}`.execute(server.db)
}

/** Makes an account old enough that nothing of its first day applies. */
export async function ageAccount(server: TestServer, visitor: Visitor): Promise<number> {
  const { id } = (await visitor.get('/api/auth/user')).json()
  await sql`update users set created_at = now() - interval '3 days' where id = ${id}`.execute(server.db)
  return id
}
