import type { Context } from '../../context.ts'
import { cookieOf } from './begin-session.ts'
import type { Done } from './schemas.ts'
import { hashSessionToken } from './session-token.ts'
import { deleteSession } from './store.ts'

/** Ends the session the call came with, and its live sockets. Does nothing for a guest. */
export async function logout(ctx: Context): Promise<Done> {
  const cookie = cookieOf(ctx)
  if (ctx.sessionToken !== null) {
    await deleteSession(ctx.app.db, hashSessionToken(ctx.sessionToken))
    ctx.app.sessions.ended(ctx.sessionToken)
    cookie.clear()
  }
  return { ok: true }
}
