import { formatChange, getSign, NO_FIGURE } from '../../lib/format/format.ts'
import { Trend } from './trend.tsx'

/** A change in percent: told apart by arrow and sign, and by colour. Null where there is nothing to take it of. */
export function Change({ percent }: { percent: string | null }) {
  if (percent === null) return NO_FIGURE
  return <Trend sign={getSign(percent)}>{formatChange(percent)}</Trend>
}
