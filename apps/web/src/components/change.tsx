import { formatChange, signOf } from '../lib/format.ts'
import classes from './change.module.css'

const ARROWS = { '-1': '▼', '0': '', '1': '▲' } as const
const CLASSES = { '-1': classes.down, '0': classes.level, '1': classes.up } as const

/** A change in percent: told apart by arrow and sign, and by colour. */
export function Change({ percent }: { percent: string }) {
  const sign = `${signOf(percent)}` as const
  return (
    <span className={CLASSES[sign]}>
      {ARROWS[sign] !== '' && (
        <span className={classes.arrow} aria-hidden="true">
          {ARROWS[sign]}
        </span>
      )}
      {formatChange(percent)}
    </span>
  )
}
