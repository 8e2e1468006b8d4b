import { useEffect, useState } from 'react'
import type { Fair, FairRanking } from '../../lib/api/api.ts'
import { canHash, sha256 } from '../../lib/format/sha256.ts'

/** Shows that the fair's balances add up exactly, and checks the bell's secret. */
export function FairBooks({ fair, sum }: { fair: Fair; sum: FairRanking['sum'] }) {
  return (
    <details className="stack breaks dim">
      <summary className="control">Check the balances and the bell</summary>
      <p className="mt-s">
        {sum.stakes} SOL of stakes − {sum.fees} SOL of fees = {sum.standings} SOL that players have + {sum.dust} SOL
        lost to rounding.
      </p>
      <p className="mt-s">
        The bell’s secret has this SHA-256 hash, which we published before the fair started: <code>{fair.commit}</code>
      </p>
      {fair.secret !== null && <Secret fair={fair} secret={fair.secret} />}
    </details>
  )
}

function Secret({ fair, secret }: { fair: Fair; secret: string }) {
  const [check, setCheck] = useState<BellCheck | null>(null)
  useEffect(() => {
    void checkBell(fair).then(setCheck)
  }, [fair])
  return (
    <>
      <p className="mt-s">
        The bell’s secret: <code>{secret}</code>
      </p>
      <p className="mt-s">
        The bell rings between {fair.bellFrom} and {fair.endsAt}. To compute the exact time, take the first 48 bits of
        SHA-256(“papermoon bell”, a new line, the bytes of the secret) as a fraction from 0 to 1, multiply the time
        between the two by that fraction, and subtract the result from {fair.endsAt}.
      </p>
      {check !== null && <p className="mt-s">{tell(check, fair)}</p>}
    </>
  )
}

function tell({ isCommitted, isOnTime }: BellCheck, { bellAt }: Fair): string {
  if (!isCommitted)
    return '✗ Your browser computed a different hash, so this is not the secret behind the published hash.'
  if (isOnTime === null) return '✓ Your browser checked the hash. This fair ended before its bell.'
  if (!isOnTime) return `✗ Your browser computed a different time, so the bell should not have rung at ${bellAt}.`
  return `✓ Your browser checked the secret. It matches the published hash and the bell’s time, ${bellAt}.`
}

interface BellCheck {
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
  if (fair.secret === null || !canHash()) return null
  const secret = Uint8Array.from(fair.secret.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  const isCommitted = (await sha256(secret)) === fair.commit
  const endsAtMs = Date.parse(fair.endsAt)
  const windowMs = endsAtMs - Date.parse(fair.bellFrom)
  if (windowMs === 0 || fair.bellAt === null) return { isCommitted, isOnTime: null }
  const digits = (await sha256(Uint8Array.of(...PREFIX, ...secret))).slice(0, FRACTION_DIGITS)
  const fraction = Number.parseInt(digits, 16) / 16 ** FRACTION_DIGITS
  return { isCommitted, isOnTime: Math.floor(endsAtMs - windowMs * fraction) === Date.parse(fair.bellAt) }
}
