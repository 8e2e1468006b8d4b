import { expect, it } from 'vitest'
import { FAIR_TRICKS } from '../support/fair-tricks.ts'
import { type FairTrick, playFair, STAKE_SOL } from '../support/play-fair.ts'

const find = (name: string): FairTrick => {
  const trick = FAIR_TRICKS.find((it) => it.name.startsWith(name))
  if (trick === undefined) throw new Error(`There is no trick ${name}.`)
  return trick
}

/** The mean score of some fairs. */
function computeScore(trick: FairTrick, plan: { fairs: number; helpers: number; isBellKnown: boolean }): number {
  const scores = Array.from({ length: plan.fairs }, (_, seed) => playFair(trick, { seed, ...plan }).score)
  return scores.reduce((sum, score) => sum + score, 0) / plan.fairs
}

it.each(
  [true, false].flatMap((isBellKnown) =>
    FAIR_TRICKS.map((trick) => [trick.name, isBellKnown ? 'known' : 'hidden', { trick, isBellKnown }] as const),
  ),
)('earns at most a tenth of the stake with one more account: %s, %s bell', (_, __, { trick, isBellKnown }) => {
  const alone = computeScore(trick, { fairs: 3, helpers: 0, isBellKnown })
  const withOne = computeScore(trick, { fairs: 3, helpers: 1, isBellKnown })
  // A player who would lose alone would rather do nothing.
  expect(withOne - Math.max(0, alone)).toBeLessThanOrEqual(STAKE_SOL / 10)
})

it('earns no more by a late pump whose buyer also pays strangers in one’s place', () => {
  const [alone, withOne] = [0, 1].map((helpers) =>
    computeScore(find('a late pump'), { fairs: 20, helpers, isBellKnown: false }),
  ) as [number, number]
  expect(withOne - alone).toBeLessThanOrEqual(STAKE_SOL / 10)
})

it('would earn nearly a whole stake by standing alone', () => {
  const { standing, score } = playFair(find('helpers buy on top'), { seed: 1, helpers: 1, isBellKnown: false })
  expect(standing).toBeGreaterThan(80)
  expect(score).toBeGreaterThan(0)
})
