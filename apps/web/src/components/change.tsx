import { formatChange, NO_FIGURE, signOf } from '../lib/format.ts'
import { Trend } from './trend.tsx'

/** A change in percent: told apart by arrow and sign, and by colour. Null where there is nothing to take it of. */
export function Change({ percent }: { percent: string | null }) {
  if (percent === null) return NO_FIGURE
  return <Trend sign={signOf(percent)}>{formatChange(percent)}</Trend>
}
