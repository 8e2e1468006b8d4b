import { useEffect, useState } from 'react'
import type { Fair, FairRanking } from '../../lib/api/api.ts'
import { type BellCheck, checkBell } from './check-bell.ts'

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
