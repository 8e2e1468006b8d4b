import { setTimeout as sleep } from 'node:timers/promises'
import { type Attacker, attacks } from './attacks.ts'

/** Number of answers per attack and status; "none" means no answer. */
export type Strikes = Record<string, Record<string, number>>

/** How long attackers strike, and how often. */
export interface StrikePlan {
  readonly seconds: number
  readonly perSecond: number
  /** Names of the attacks to make; all of them unless told. */
  readonly only?: readonly string[]
}

/** What attackers did. */
export interface StrikeReport {
  readonly strikes: Strikes
  /** Strikes begun, in each second on average. */
  readonly perSecond: number
}

/** Each attack and each attacker in turn, at a constant rate, whether or not earlier strikes were answered. */
export async function strikeFor(attackers: readonly Attacker[], plan: StrikePlan): Promise<StrikeReport> {
  const { seconds, perSecond, only } = plan
  const kinds = Object.entries(attacks).filter(([name]) => only?.includes(name) ?? true)
  const total = seconds * perSecond
  const strikes: Strikes = {}
  const startedMs = performance.now()
  const underWay = new Set<Promise<void>>()
  for (let count = 0; count < total; count++) {
    const waitMs = startedMs + (count * 1_000) / perSecond - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    const kind = kinds[count % kinds.length]
    const attacker = attackers[Math.floor(count / kinds.length) % attackers.length]
    if (kind === undefined || attacker === undefined) throw new Error('no attack, or nobody to make it')
    const [name, attack] = kind
    const strike = attack(attacker)
      // To be cut off is what they are for.
      .catch(() => null)
      .then((status) => {
        countStatus(strikes, name, status)
        underWay.delete(strike)
      })
    underWay.add(strike)
  }
  const tookMs = Math.max(performance.now() - startedMs, seconds * 1_000)
  await Promise.all(underWay)
  return { strikes, perSecond: (total * 1_000) / tookMs }
}

function countStatus(strikes: Strikes, name: string, status: number | null): void {
  const key = status === null ? 'none' : String(status)
  strikes[name] = { ...strikes[name], [key]: (strikes[name]?.[key] ?? 0) + 1 }
}
