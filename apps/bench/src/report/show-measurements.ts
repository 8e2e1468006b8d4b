import type { Measurement, Round, Target } from './measurement.ts'

/** Prints measurements as a table with latencies in ms and the server's CPU time per request. */
export function showMeasurements(measurements: readonly Measurement[]): void {
  const rows = measurements.map(({ name, figure, subject, baseline, ratio, spread, target, isMet }) => {
    const row = {
      subject: formatFigure(subject, figure),
      'p50, p99': `${ms(subject.p50Ms)} ${ms(subject.p99Ms)}`,
      baseline: formatFigure(baseline, figure),
      'its p50, p99': `${ms(baseline.p50Ms)} ${ms(baseline.p99Ms)}`,
      ratio: `${ratio.toFixed(2)} (${spread.map((one) => one.toFixed(2)).join('–')})`,
      'CPU µs': subject.cpuUs === undefined ? '' : `${subject.cpuUs.toFixed(0)} : ${baseline.cpuUs?.toFixed(0) ?? '—'}`,
      target: target === null ? '' : `${formatTarget(target)} ${isMet ? 'met' : 'MISSED'}`,
    }
    return [name, row]
  })
  // biome-ignore lint/suspicious/noConsole: a table is what this prints.
  console.table(Object.fromEntries(rows))
}

function formatFigure(round: Round, figure: string): string {
  const value = round[figure] ?? Number.NaN
  if (figure === 'score') return value.toFixed(0)
  return figure === 'perSecond' ? `${Math.round(value).toLocaleString('en')}/s` : `${ms(value)} ms`
}

function ms(value: number | undefined): string {
  if (value === undefined) return ''
  return value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)
}

function formatTarget(target: Target): string {
  if ('figureMax' in target) return `≤ ${target.figureMax} ms`
  return 'min' in target ? `≥ ${Number(target.min.toFixed(2))}` : `≤ ${target.max}`
}
