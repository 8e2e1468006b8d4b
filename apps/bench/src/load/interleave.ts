import type { Round } from '../report/measurement.ts'

/**
 * Runs the sides in turn, round after round, so that other load on the machine affects all alike. A first round warms up and
 * does not count.
 */
export async function interleave<Side extends string, Result = Round>(
  rounds: number,
  sides: Readonly<Record<Side, (round: number) => Promise<Result>>>,
): Promise<Record<Side, Result>[]> {
  const names = Object.keys(sides) as Side[]
  const results: Record<Side, Result>[] = []
  for (let round = 0; round <= rounds; round++) {
    const result: Partial<Record<Side, Result>> = {}
    for (const name of names) result[name] = await sides[name](round)
    if (round > 0) results.push(result as Record<Side, Result>)
  }
  return results
}
