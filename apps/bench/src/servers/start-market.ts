import { hashSecret, insertSession, newSecret, SESSION_MS } from '@papermoon/api/testing'
import { connect, type DatabaseAddress, type DatabaseClient, findEmbeddedAddress } from '@papermoon/db'
import type { BenchContext } from '../bench.ts'
import type { ChildServer } from './child-server.ts'
import { startPapermoon } from './papermoon-server.ts'

/**
 * Name of the session cookie. The name must match the one in the API's `call-context.ts`, because the server would
 * otherwise reject every order.
 */
const SESSION_COOKIE = 'papermoon_session'

/** A server that runs on a market. */
export interface RunningMarket {
  readonly server: ChildServer
  readonly port: number
  readonly address: DatabaseAddress
  readonly db: DatabaseClient['db']
  /** `Cookie` headers of the players who are logged in. */
  readonly cookies: readonly string[]
}

/** Starts the server on a market's data folder, connects to its database, and logs in the players with ids from 1. */
export async function startMarket(context: BenchContext, dataDir: string, players = 0): Promise<RunningMarket> {
  const server = await startPapermoon(context, dataDir)
  const address = findEmbeddedAddress(dataDir)
  if (address === null) throw new Error(`no database runs on ${dataDir}`)
  const options = { poolMax: 2, statementTimeoutMs: 120_000, applicationName: 'papermoon-bench' }
  const { db, close } = connect(address, options)
  context.cleanup.defer(close)
  return { server, port: server.port, address, db, cookies: await logIn(db, players) }
}

/** Creates sessions. The result is the same as after a login, but without password hashing. */
async function logIn(db: DatabaseClient['db'], count: number): Promise<string[]> {
  return await db.transaction().execute(async (tx) => {
    const cookies: string[] = []
    const now = new Date()
    const session = { created_at: now, expires_at: new Date(now.getTime() + SESSION_MS), browser: 'bench' }
    for (let id = 1; id <= count; id++) {
      const token = newSecret()
      await insertSession(tx, { ...session, token_hash: hashSecret(token), user_id: id })
      cookies.push(`${SESSION_COOKIE}=${token}`)
    }
    return cookies
  })
}
