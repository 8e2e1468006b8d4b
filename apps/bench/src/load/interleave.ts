import type { Round } from '../report/measurement.ts'

/**
 * Each side in turn, round after round: whatever else the machine does meets all alike. A first round, which warms them up,
 * does not count.
 */
export async function interleaveAll<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, (round: number) => Promise<Round>>>,
): Promise<Record<Side, Round>[]> {
  const names = Object.keys(sides) as Side[]
  const results: Record<Side, Round>[] = []
  for (let round = 0; round <= rounds; round++) {
    const result: Partial<Record<Side, Round>> = {}
    for (const name of names) result[name] = await sides[name](round)
    if (round > 0) results.push(result as Record<Side, Round>)
  }
  return results
}

/** `interleaveAll` of a subject and its baseline, which comes first. */
export async function interleave(
  rounds: number,
  { baseline, subject }: Readonly<Record<'baseline' | 'subject', (round: number) => Promise<Round>>>,
): Promise<{ subject: Round; baseline: Round }[]> {
  return await interleaveAll(rounds, { baseline, subject })
}
