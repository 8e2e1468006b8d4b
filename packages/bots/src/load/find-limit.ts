/** A step of a ramp: the requested rate, and whether the server sustained it. */
export interface RampStep {
  readonly rate: number
  readonly isHeld: boolean
}

export interface RampLimit<Step extends RampStep> {
  readonly steps: readonly Step[]
  /** The highest rate that the server sustained, or null if there is none. */
  readonly held: Step | null
  /** The lowest rate that the server did not sustain, or null if it sustained all rates. */
  readonly failed: Step | null
}

interface RampPlan {
  readonly firstRate: number
  readonly rateMax: number
}

/** Factor by which the rate increases from step to step. */
const GROWTH = 1.5
/** Number of halvings of the range between the highest sustained rate and the lowest rate that was not sustained. */
const HALVINGS = 3
/** Max number of steps. With this number of steps, a ramp can go from one order per second to the highest rate. */
const STEPS_MAX = 24

/**
 * Raises the rate step by step until the server does not sustain it. After that, halves the range that contains the
 * limit. `run` returns null to stop.
 */
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
