import type { Round } from '../report/measurement.ts'

/**
 * Each side in turn, round after round: whatever else the machine does meets all alike. A first round, which warms them up,
 * does not count.
 */
export async function interleaveAll<Side extends string, Result = Round>(
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

/** `interleaveAll` of a subject and its baseline, which comes first. */
export async function interleave<Result = Round>(
  rounds: number,
  { baseline, subject }: Readonly<Record<'baseline' | 'subject', (round: number) => Promise<Result>>>,
): Promise<{ subject: Result; baseline: Result }[]> {
  return await interleaveAll(rounds, { baseline, subject })
}
