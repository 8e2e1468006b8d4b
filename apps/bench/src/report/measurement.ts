import { median } from './median.ts'

/** The target of a comparison: a min or max of the ratio, or a max of the subject's own value. */
export type Target = { readonly min: number } | { readonly max: number } | { readonly figureMax: number }

/** Values of one side in one round of a comparison, by name such as `perSecond` or `p50Ms`. */
export type Round = Readonly<Record<string, number>>

/** A subject that was compared with its baseline, with which it took turns in each round. */
export interface Measurement {
  readonly suite: string
  readonly name: string
  /** Name of the compared value. */
  readonly figure: string
  readonly subject: Round
  readonly baseline: Round
  /** Median over all rounds of the ratio subject ÷ baseline. */
  readonly ratio: number
  /** Lowest and highest ratio of a round. These two ratios show how large the noise is. */
  readonly spread: readonly [number, number]
  readonly target: Target | null
  readonly isMet: boolean
  readonly rounds: readonly { readonly subject: Round; readonly baseline: Round }[]
}

export interface Comparison {
  readonly suite: string
  readonly name: string
  readonly figure: string
  /** The target of the comparison. The target is null if the value is only reported. */
  readonly target: Target | null
  readonly rounds: readonly { readonly subject: Round; readonly baseline: Round }[]
}

/** Computes a comparison's medians and ratio. Throws an error if there were no rounds. */
export function toMeasurement({ suite, name, figure, target, rounds }: Comparison): Measurement {
  const ratios = rounds.map(({ subject, baseline }) => getFigure(subject, figure) / getFigure(baseline, figure))
  const ratio = median(ratios)
  const subjectMedians = medians(rounds.map((round) => round.subject))
  return {
    suite,
    name,
    figure,
    subject: subjectMedians,
    baseline: medians(rounds.map((round) => round.baseline)),
    ratio,
    spread: [Math.min(...ratios), Math.max(...ratios)],
    target,
    isMet: target === null || meets(target, ratio, getFigure(subjectMedians, figure)),
    rounds,
  }
}

function meets(target: Target, ratio: number, figure: number): boolean {
  if ('figureMax' in target) return figure <= target.figureMax
  return 'min' in target ? ratio >= target.min : ratio <= target.max
}

function medians(rounds: readonly Round[]): Round {
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => getFigure(round, name)))]))
}

function getFigure(round: Round, figure: string): number {
  const value = round[figure]
  if (value === undefined) throw new Error(`a round without ${figure}`)
  return value
}
