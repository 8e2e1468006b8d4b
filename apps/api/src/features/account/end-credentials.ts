import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { toCredentialId } from './credentials.ts'

/** Hashes of the tokens of ended sessions and of ended API keys. */
export interface EndedCredentials {
  readonly sessions: readonly Buffer[]
  readonly apiKeys: readonly Buffer[]
}

/** Ends every session and API key of a player. Call `forgetCredentials` after the commit. */
export async function endCredentials(tx: Tx, userId: UserId): Promise<EndedCredentials> {
  return { sessions: await endSessions(tx, userId), apiKeys: await endKeys(tx, userId) }
}

/** Ends all of a player's sessions, except the session with this token hash. */
export async function endSessions(tx: Tx, userId: UserId, except?: Buffer): Promise<Buffer[]> {
  const rows = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('token_hash', '!=', except as Buffer))
    .returning('token_hash')
    .execute()
  return rows.map((row) => row.token_hash)
}

/** Ends a player's API keys. */
export async function endKeys(tx: Tx, userId: UserId): Promise<Buffer[]> {
  const rows = await tx.deleteFrom('api_keys').where('user_id', '=', userId).returning('key_hash').execute()
  return rows.map((row) => row.key_hash)
}

/** Removes ended credentials from this node's cache, which also closes their live sockets. */
export function forgetCredentials(
  { accounts }: AppPart<'sessions' | 'apiKeys'>,
  { sessions = [], apiKeys = [] }: Partial<EndedCredentials>,
): void {
  for (const hash of sessions) accounts.sessions.cache.revoke(toCredentialId(hash))
  for (const hash of apiKeys) accounts.apiKeys.cache.revoke(toCredentialId(hash))
}

/**
 * Clears all cached responses and journal pages of both markets after a change to a player's name or kind, because they
 * contain names and kinds.
 */
export function forgetNames(app: AppPart<'queryCache' | 'journal' | 'fairs'>): void {
  for (const { market, live } of [app, app.market.fairs ?? app]) {
    market.queryCache.invalidateAll()
    live.journal.clear()
  }
}
