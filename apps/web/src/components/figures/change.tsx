import { formatChange, getSign, NO_FIGURE } from '@papermoon/format'
import type { ReactNode } from 'react'
import classes from './change.module.css'

/** Shows a change in percent with an arrow, a sign and a colour. Shows a dash if the change is null. */
export function Change({ percent }: { percent: string | null }) {
  if (percent === null) return NO_FIGURE
  return <Trend sign={getSign(percent)}>{formatChange(percent)}</Trend>
}

const ARROWS = { '-1': '▼', '0': '', '1': '▲' } as const
const TONES = { '-1': 'down', '0': 'dim', '1': 'up' } as const

/** Returns the class with the colour of a gain or loss. */
export function getTone(sign: -1 | 0 | 1): string {
  return TONES[`${sign}`]
}

/** Adds a colour and an arrow to a number. The caller must format the number with its sign. */
export function Trend({ sign, children }: { sign: -1 | 0 | 1; children: ReactNode }) {
  const key = `${sign}` as const
  return (
    <span className={TONES[key]}>
      {ARROWS[key] !== '' && (
        <span className={classes.arrow} aria-hidden="true">
          {ARROWS[key]}
        </span>
      )}
      {children}
    </span>
  )
}
