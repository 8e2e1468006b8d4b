/** A step of a ramp, with the rate asked for and whether the server kept it. */
export interface RampStep {
  readonly rate: number
  readonly isHeld: boolean
}

export interface RampLimit<Step extends RampStep> {
  readonly steps: readonly Step[]
  /** The highest rate that the server kept; null if none. */
  readonly held: Step | null
  /** The lowest rate that it did not keep; null if it kept all. */
  readonly failed: Step | null
}

interface RampPlan {
  readonly firstRate: number
  readonly rateMax: number
}

/** Rate of each step relative to the one before. */
const GROWTH = 1.5
/** Number of halvings between the last rate kept and the first that was not. */
const HALVINGS = 3
/** Max steps: more than it takes to grow from one order per second to the highest rate. */
const STEPS_MAX = 24

/** Raises the rate step by step until the server does not keep it, then narrows down the limit. `run` returns null to stop. */
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
