import type { Measurement, Round, Target } from './measurement.ts'

/** Aligns columns under their headings: the first column left, the others (numbers) right. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    widths.map((width, i) => (i === 0 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width))).join('  ')
  const rule = widths.map((width) => '─'.repeat(width)).join('──')
  return [line(headings), rule, ...rows.map(line)].map((text) => text.trimEnd()).join('\n')
}

const HEADINGS = ['', 'subject', 'p50', 'p99', 'baseline', 'p50', 'p99', 'ratio', 'of rounds', 'CPU µs', 'target', '']

/** Formats measurements as a table with latencies in ms and the server's CPU time per request. */
export function measurementTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((it) => [
    it.name,
    formatFigure(it.subject, it.figure),
    ms(it.subject.p50Ms),
    ms(it.subject.p99Ms),
    formatFigure(it.baseline, it.figure),
    ms(it.baseline.p50Ms),
    ms(it.baseline.p99Ms),
    it.ratio.toFixed(2),
    it.spread.map((ratio) => ratio.toFixed(2)).join('–'),
    it.subject.cpuUs === undefined ? '' : `${us(it.subject.cpuUs)} : ${us(it.baseline.cpuUs)}`,
    targetText(it.target),
    it.target === null ? '' : it.isMet ? 'met' : 'MISSED',
  ])
  return table(HEADINGS, rows)
}

function formatFigure(round: Round, figure: string): string {
  const value = round[figure] ?? Number.NaN
  if (figure === 'score') return value.toFixed(0)
  if (figure.startsWith('sol')) return `${value.toFixed(3)} SOL`
  return figure === 'perSecond' ? `${Math.round(value).toLocaleString('en')}/s` : `${ms(value)} ms`
}

function ms(value: number | undefined): string {
  if (value === undefined) return ''
  return value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)
}

const us = (value = Number.NaN): string => value.toFixed(0)

function targetText(target: Target | null): string {
  if (target === null) return ''
  if ('figureMax' in target) return `≤ ${target.figureMax} ms`
  return 'min' in target ? `≥ ${Number(target.min.toFixed(2))}` : `≤ ${target.max}`
}
