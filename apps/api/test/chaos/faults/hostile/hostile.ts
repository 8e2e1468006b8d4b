import assert from 'node:assert/strict'
import type { Fault } from '../fault.ts'
import type { Strikes } from './strikes.ts'
import { type HostileSeen, sufferAttacks } from './suffer-attacks.ts'

const SLOWDOWN_MAX = 3
const GROWTH_MAX_MB = 100
/** Of the strikes asked for; fewer would be a weaker attack. */
const RATE_MIN = 0.98

/** A target, and whether what was seen meets it. */
export interface Verdict {
  readonly line: string
  readonly isKept: boolean
}

export const hostile: Fault = {
  name: 'hostile',
  about: 'every attack that a client can make, while twenty players trade',
  run: async ({ attack, say }) => {
    if (process.platform !== 'linux') return 'left out: only Linux has more loopback addresses than one'
    say('the attackers share the processors: lowest priority, bytes made beforehand, answers hardly read')
    const seen = await sufferAttacks(attack)
    for (const line of formatStrikes(seen.strikes)) say(line)
    const verdicts = judge(seen, attack.perSecond)
    for (const { line, isKept } of verdicts) say(`${isKept ? 'kept' : 'MISSED'}: ${line}`)
    assert(
      verdicts.every(({ isKept }) => isKept),
      'the attacks were felt',
    )
    return `${attack.seconds} s of ${attack.perSecond} requests a second, ${seen.orders} orders of players, all placed; audit exact`
  },
}

/** What was promised, against what was seen while so many strikes a second were asked for. Inexact books never get here. */
export function judge(seen: HostileSeen, perSecond: number): readonly Verdict[] {
  const { peaceP99Ms, attackP99Ms, grownMb, strikes } = seen
  const slowdown = attackP99Ms / peaceP99Ms
  const broken = Object.entries(strikes).filter(([, counts]) => Object.keys(counts).includes('500'))
  return [
    {
      line: `p99 of the players ${attackP99Ms.toFixed(0)} ms, in peace ${peaceP99Ms.toFixed(0)} ms: ${slowdown.toFixed(2)} times (at most ${SLOWDOWN_MAX})`,
      isKept: slowdown <= SLOWDOWN_MAX,
    },
    { line: `memory ${grownMb} MB more (at most ${GROWTH_MAX_MB})`, isKept: grownMb <= GROWTH_MAX_MB },
    { line: `answers 500: ${broken.map(([name]) => name).join(', ') || 'none'}`, isKept: broken.length === 0 },
    {
      line: `${seen.perSecond.toFixed(0)} strikes a second (at least ${RATE_MIN * 100} % of ${perSecond})`,
      isKept: seen.perSecond >= RATE_MIN * perSecond,
    },
    { line: 'books exact', isKept: true },
  ]
}

function formatStrikes(strikes: Strikes): string[] {
  return Object.entries(strikes).map(([name, counts]) => {
    const answers = Object.entries(counts).map(([status, count]) => `${status} × ${count}`)
    return `${name}: ${answers.join(', ')}`
  })
}
