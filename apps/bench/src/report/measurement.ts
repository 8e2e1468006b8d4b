import { median } from './median.ts'

/** A bound of the ratio, min or max; or a max of the subject's figure itself, whatever its baseline. */
export type Target = { readonly min: number } | { readonly max: number } | { readonly figureMax: number }

/** Figures of one side of a comparison in one round, by name such as `perSecond` or `p50Ms`. */
export type Round = Readonly<Record<string, number>>

/** A subject compared with its baseline in interleaved rounds. */
export interface Measurement {
  readonly suite: string
  readonly name: string
  /** Name of the compared figure. */
  readonly figure: string
  readonly subject: Round
  readonly baseline: Round
  /** Median over all rounds of subject ÷ baseline. */
  readonly ratio: number
  /** Min and max ratio of a round, as a measure of noise. */
  readonly spread: readonly [number, number]
  readonly target: Target | null
  readonly isMet: boolean
  readonly rounds: readonly { readonly subject: Round; readonly baseline: Round }[]
}

export interface Comparison {
  readonly suite: string
  readonly name: string
  readonly figure: string
  /** Null if the figure is only reported. */
  readonly target: Target | null
  readonly rounds: readonly { readonly subject: Round; readonly baseline: Round }[]
}

/** Computes medians and ratio of a comparison. Throws if it has no rounds. */
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
