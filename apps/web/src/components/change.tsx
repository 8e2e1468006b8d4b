import { formatChange, signOf } from '../lib/format.ts'
import { Trend } from './trend.tsx'

/** A change in percent: told apart by arrow and sign, and by colour. */
export function Change({ percent }: { percent: string }) {
  return <Trend sign={signOf(percent)}>{formatChange(percent)}</Trend>
}
