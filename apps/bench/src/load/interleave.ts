import type { Round } from '../report/measurement.ts'

/**
 * Baseline, subject, baseline, subject …: whatever else the machine does meets both alike. A first round, which warms
 * both up, does not count.
 */
export async function interleave(
  rounds: number,
  sides: { readonly baseline: (round: number) => Promise<Round>; readonly subject: (round: number) => Promise<Round> },
): Promise<{ subject: Round; baseline: Round }[]> {
  await sides.baseline(0)
  await sides.subject(0)
  const results: { subject: Round; baseline: Round }[] = []
  for (let round = 1; round <= rounds; round++) {
    const baseline = await sides.baseline(round)
    results.push({ baseline, subject: await sides.subject(round) })
  }
  return results
}
