import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { assertNotFrozen } from '../../../caller.ts'
import type { CallCookies, Context, CookieWriter } from '../../../context.ts'
import { NeedsHttpError } from '../../../errors.ts'
import { hashSecret, newSecret, SESSION_MAX_MS, SESSION_MS, toCredentialId } from '../credentials.ts'
import { describeBrowser } from '../records/account-events.ts'
import { deleteSession, insertSession } from './store.ts'

const BROWSERS_PER_ACCOUNT = 20

const ACCOUNTS_PER_BROWSER = 20

const TOKEN = /^[\w-]{43}$/

const NONCE_BYTES = 12

const SEAL_BYTES = 16

/**
 * Max number of accounts that can trust one browser. Four accounts are enough for a family. A further account replaces
 * the oldest one.
 */
const TRUSTING_ACCOUNTS_MAX = 4

/** Matches a nonce and an HMAC: 12 and 16 bytes in base64url. */
const MARKER = /^([\w-]{16})([\w-]{22})$/

/** The key that unknown accounts use. No browser has a marker for this key. */
const decoyKey = randomBytes(32)

interface BrowserUse {
  readonly userId: UserId
  /** Content of the cookie that identifies the browser. Null if the browser has no such cookie yet. */
  readonly token: string | null
  readonly now: Date
}

/** Returns one of this call's cookies. Throws `NeedsHttpError` if the transport cannot set cookies. */
export function requireCookie({ cookies }: Context, name: keyof CallCookies): CookieWriter {
  const { writer } = cookies[name]
  if (writer === null) throw new NeedsHttpError()
  return writer
}

/** Data to send to the browser after the commit of the transaction that begins a session. */
export interface BegunSession {
  readonly token: string
  readonly browserToken: string
}

/**
 * Begins a session and ends the call's previous session, so that nobody can use a token that they planted. After the
 * commit, pass the result to `setSessionCookie`. Throws `AccountFrozenError`, so call this only after the player has
 * proven who they are.
 */
export async function beginSession(tx: Tx, ctx: Context, userId: UserId): Promise<BegunSession> {
  await assertNotFrozen(tx, userId)
  const token = newSecret()
  const now = ctx.app.platform.clock.now()
  const times = { created_at: now, expires_at: new Date(now.getTime() + SESSION_MS) }
  // A session that began over HTTP continues when its server changes to HTTPS and prefixed cookies.
  const plain_cookie_until = requireCookie(ctx, 'session').hasPrefix ? null : new Date(now.getTime() + SESSION_MAX_MS)
  const seen = { address: ctx.ip, browser: describeBrowser(ctx.userAgent) }
  await insertSession(tx, { token_hash: hashSecret(token), user_id: userId, ...times, plain_cookie_until, ...seen })
  if (ctx.cookies.session.token !== null) await deleteSession(tx, hashSecret(ctx.cookies.session.token))
  const browserToken = await recordBrowser(tx, { userId, token: ctx.cookies.browser.token, now })
  return { token, browserToken }
}

/**
 * Sets the new session's cookies, makes the account with this password hash trust this browser, and drops the old token
 * from the cache. Call this function after the commit.
 */
export function setSessionCookie(ctx: Context, { token, browserToken }: BegunSession, passwordHash: string): void {
  if (ctx.cookies.session.token !== null)
    ctx.app.accounts.sessions.cache.revoke(toCredentialId(hashSecret(ctx.cookies.session.token)))
  requireCookie(ctx, 'session').set(token)
  trustBrowser(ctx, passwordHash)
  ctx.cookies.browser.writer?.set(browserToken)
}

/**
 * Records that an account logged in from a browser, because a giveaway must detect accounts that share one. Returns the
 * random token for the browser's cookie. Only the token's hash is stored. When an account has too many browsers,
 * deletes its oldest ones, and first those that no other account uses.
 */
async function recordBrowser(tx: Tx, { userId, token, now }: BrowserUse): Promise<string> {
  const known = token !== null && TOKEN.test(token) ? token : newSecret()
  const hash = hashSecret(known)
  await sql`
    insert into account_browsers as b (user_id, browser_hash, first_seen_at, last_seen_at)
    values (${userId}, ${hash}, ${now}, ${now})
    on conflict (user_id, browser_hash) do update set last_seen_at = greatest(b.last_seen_at, excluded.last_seen_at)`.execute(
    tx,
  )
  await sql`
    delete from account_browsers where user_id = ${userId} and browser_hash in (
      select browser_hash from account_browsers b where user_id = ${userId}
       order by browser_hash = ${hash} desc,
                exists (select from account_browsers o where o.browser_hash = b.browser_hash and o.user_id <> b.user_id) desc,
                last_seen_at desc, browser_hash
      offset ${BROWSERS_PER_ACCOUNT})`.execute(tx)
  await sql`
    delete from account_browsers where browser_hash = ${hash} and user_id in (
      select user_id from account_browsers where browser_hash = ${hash}
       order by user_id = ${userId} desc, last_seen_at desc, user_id
      offset ${ACCOUNTS_PER_BROWSER})`.execute(tx)
  return known
}

/**
 * Returns the marker that shows that an account trusts this browser, or null. A marker is an HMAC with the account's
 * password hash, whose salt is random and never leaves the database. Therefore only the server can create a marker,
 * every node can check it, and a new password invalidates all markers. Without a hash (an unknown account), returns
 * null after the same work.
 */
export function findTrustedBrowser({ cookies }: Context, passwordHash: string | undefined): string | null {
  return parseMarks(cookies.trustedBrowser.token).find((mark) => isSealedWith(mark, passwordHash ?? decoyKey)) ?? null
}

/** Makes the account with this password hash trust this browser. */
export function trustBrowser({ cookies: { trustedBrowser } }: Context, passwordHash: string): void {
  const others = parseMarks(trustedBrowser.token).filter((mark) => !isSealedWith(mark, passwordHash))
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  trustedBrowser.writer?.set(
    [`${nonce}${computeSeal(nonce, passwordHash)}`, ...others].slice(0, TRUSTING_ACCOUNTS_MAX).join('.'),
  )
}

function parseMarks(token: string | null): string[] {
  return (token ?? '').split('.', TRUSTING_ACCOUNTS_MAX).filter((mark) => MARKER.test(mark))
}

function isSealedWith(mark: string, key: string | Buffer): boolean {
  const [, nonce = '', seal = ''] = MARKER.exec(mark) ?? []
  return timingSafeEqual(Buffer.from(seal), Buffer.from(computeSeal(nonce, key)))
}

function computeSeal(nonce: string, key: string | Buffer): string {
  const hmac = createHmac('sha256', key).update(`known browser ${nonce}`)
  return hmac.digest().subarray(0, SEAL_BYTES).toString('base64url')
}
