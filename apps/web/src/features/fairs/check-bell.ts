import type { Fair } from '../../lib/api/api.ts'

export interface BellCheck {
  /** Whether the secret matches the hash that was published when the fair began. */
  readonly isCommitted: boolean
  /** Whether the bell rang at the time that follows from the secret, or null if the fair ended before its bell. */
  readonly isOnTime: boolean | null
}

const PREFIX = new TextEncoder().encode('papermoon bell\n')
/** Number of hex digits of the hash that determine the bell's time (48 bits). */
const FRACTION_DIGITS = 12

/**
 * Computes the time of a fair's bell from its revealed secret, as the server did. The first 48 bits of a SHA-256 hash
 * say how much of the bell's time range is subtracted from the planned end. Returns null while the secret is unknown,
 * or if the browser cannot compute hashes (plain HTTP).
 */
export async function checkBell(
  fair: Pick<Fair, 'commit' | 'secret' | 'bellFrom' | 'endsAt' | 'bellAt'>,
): Promise<BellCheck | null> {
  if (fair.secret === null || globalThis.crypto?.subtle === undefined) return null
  const secret = Uint8Array.from(fair.secret.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  const isCommitted = (await hash(secret)) === fair.commit
  const endsAtMs = Date.parse(fair.endsAt)
  const windowMs = endsAtMs - Date.parse(fair.bellFrom)
  if (windowMs === 0 || fair.bellAt === null) return { isCommitted, isOnTime: null }
  const digits = (await hash(Uint8Array.of(...PREFIX, ...secret))).slice(0, FRACTION_DIGITS)
  const fraction = Number.parseInt(digits, 16) / 16 ** FRACTION_DIGITS
  return { isCommitted, isOnTime: Math.floor(endsAtMs - windowMs * fraction) === Date.parse(fair.bellAt) }
}

async function hash(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
