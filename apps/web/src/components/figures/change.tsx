import { formatChange, getSign, NO_FIGURE } from '../../lib/format/format.ts'
import { Trend } from './trend.tsx'

/** A change in percent, marked by arrow, sign and colour. Null renders the "no figure" dash. */
export function Change({ percent }: { percent: string | null }) {
  if (percent === null) return NO_FIGURE
  return <Trend sign={getSign(percent)}>{formatChange(percent)}</Trend>
}
