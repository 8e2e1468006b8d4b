import { listFaults } from './judge.ts'
import type { Gap, ScaleSeen } from './run.ts'

/** The broken promises of a run, a sentence each; empty: all were kept. */
export function listFailures({ verdict, failures }: Pick<ScaleSeen, 'verdict' | 'failures'>): string[] {
  return [...failures, ...listFaults(verdict)]
}

/** The one table of a run. */
export function toTable({ verdict, gaps, seconds, resumed }: ScaleSeen): string[] {
  const { acknowledged, interrupted, unresolved } = verdict
  const rows: (readonly [string, string])[] = [
    ['orders acknowledged', `${acknowledged} in ${Math.round(seconds)} s`],
    ['lost', String(verdict.lost)],
    ['doubled', String(verdict.doubled)],
    ['interrupted', `${interrupted + unresolved}, of which resolved ${interrupted}`],
    ...toGapRows(gaps),
    ['stale reads', `${verdict.stale} of ${verdict.reads}, ${verdict.markedStale} said that they may be stale`],
    ['missed events', `${verdict.missed} of ${verdict.events}, ${resumed} connections resumed`],
    ['shown and then gone', String(verdict.gone)],
    ['audit', verdict.differences === 0 ? 'exact' : `${verdict.differences} differences`],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, figure]) => `${name.padEnd(width)}  ${figure}`)
}

/** One row a fault, in the order of their first time: the seconds of each time. */
function toGapRows(gaps: readonly Gap[]): (readonly [string, string])[] {
  return [...Map.groupBy(gaps, ({ fault }) => fault)].map(([fault, times]) => [
    `gap: ${fault}`,
    `${times.map(({ seconds }) => seconds.toFixed(1)).join(', ')} s`,
  ])
}
