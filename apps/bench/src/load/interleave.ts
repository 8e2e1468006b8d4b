import type { BenchContext } from '../bench.ts'
import { type Comparison, type Measurement, type Round, toMeasurement } from '../report/measurement.ts'

/**
 * Runs the sides in turns, round after round, so that other load on the machine affects all sides in the same way. The
 * first round is only for warming up.
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

/** Measures two sides in turns and prints their ratio. */
export async function compare(
  { rounds, say }: Pick<BenchContext, 'rounds' | 'say'>,
  about: Omit<Comparison, 'rounds'>,
  sides: Readonly<Record<'subject' | 'baseline', (round: number) => Promise<Round>>>,
): Promise<Measurement> {
  const measurement = toMeasurement({ ...about, rounds: await interleave(rounds, sides) })
  say(`  ${about.name}: ${measurement.ratio.toFixed(2)}`)
  return measurement
}

/** Measures the chosen cases one after another. */
export async function measureEach<Case extends { readonly name: string }>(
  { only }: Pick<BenchContext, 'only'>,
  cases: readonly Case[],
  measure: (one: Case) => Promise<Measurement | readonly Measurement[]>,
): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const one of cases) if (one.name.includes(only)) measurements.push(...[await measure(one)].flat())
  return measurements
}
