/** A step of a ramp: what was asked for and whether the server held it. */
export interface RampStep {
  readonly rate: number
  readonly isHeld: boolean
}

export interface RampLimit<Step extends RampStep> {
  readonly steps: readonly Step[]
  /** The highest rate that was held; null if not even the first was. */
  readonly held: Step | null
  /** The lowest rate that was not held; null if all were. */
  readonly failed: Step | null
}

interface RampPlan {
  readonly firstRate: number
  readonly rateMax: number
}

/** Rate of each step, relative to the one before. */
const GROWTH = 1.5
/** Halvings of the interval between the last rate held and the first that was not. */
const HALVINGS = 3
/** More steps than the growth from one order a second to the highest rate takes. */
const STEPS_MAX = 24

/** Raises the rate step by step until one is not held, then narrows the limit down. `run` returns null to stop. */
export async function findLimit<Step extends RampStep>(
  { firstRate, rateMax }: RampPlan,
  run: (rate: number) => Promise<Step | null>,
): Promise<RampLimit<Step>> {
  const steps: Step[] = []
  let held: Step | null = null
  let failed: Step | null = null
  let halvings = 0
  for (let rate = firstRate; steps.length < STEPS_MAX; ) {
    const step = await run(rate)
    if (step === null) break
    steps.push(step)
    if (step.isHeld) held = step
    else failed = step
    if (failed === null) {
      if (rate >= rateMax) break
      rate = Math.min(rateMax, rate * GROWTH)
    } else {
      if (held === null || halvings++ === HALVINGS) break
      rate = Math.sqrt(held.rate * failed.rate)
    }
  }
  return { steps, held, failed }
}
