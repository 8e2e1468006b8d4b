import { median } from './median.ts'

/** What a ratio has to be, at least or at most; or what the figure itself may be at most, whatever its baseline is. */
export type Target = { readonly min: number } | { readonly max: number } | { readonly figureMax: number }

/** The figures of one side of a comparison, one a round, by name: `perSecond`, `p50Ms` and the like. */
export type Round = Readonly<Record<string, number>>

/** A thing measured beside its baseline in interleaved rounds. */
export interface Measurement {
  readonly suite: string
  readonly name: string
  /** The figure that is compared. */
  readonly figure: string
  readonly subject: Round
  readonly baseline: Round
  /** Median over the rounds of subject ÷ baseline of the round. */
  readonly ratio: number
  /** The least and the largest ratio of a round: how noisy it was. */
  readonly spread: readonly [number, number]
  readonly target: Target | null
  readonly isMet: boolean
  readonly rounds: readonly { readonly subject: Round; readonly baseline: Round }[]
}

/** What is measured, and against what. */
export interface Comparison {
  readonly suite: string
  readonly name: string
  readonly figure: string
  /** Null where a figure is only told. */
  readonly target: Target | null
  readonly rounds: readonly { readonly subject: Round; readonly baseline: Round }[]
}

/** The medians and the ratio of a comparison's rounds. Throws for a comparison without a round. */
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
