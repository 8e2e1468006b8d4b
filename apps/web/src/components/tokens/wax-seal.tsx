import type { Token } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { describeSeal } from '../../lib/market/seal.ts'
import classes from './wax-seal.module.css'

const WAX =
  'M15.6 2.8A4.4 4.4 0 0 1 21.1 7.0A4.4 4.4 0 0 1 21.5 13.9A4.4 4.4 0 0 1 18.4 20.0A4.4 4.4 0 0 1 11.8 22.0A4.4 4.4 0 0 1 5.7 19.2A4.4 4.4 0 0 1 1.7 13.6A4.4 4.4 0 0 1 3.6 6.9A4.4 4.4 0 0 1 8.7 2.2A4.4 4.4 0 0 1 15.6 2.8Z'
const MOON = 'M13.6 7.4a4.9 4.9 0 1 0 3.3 7.6a4.2 4.2 0 0 1-3.3-7.6Z'

export function WaxSeal({ label }: { label: string }) {
  return (
    <span className={`fixed inline-block ${classes.seal}`} role="img" aria-label={label} title={label}>
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path className={classes.wax} d={WAX} />
        <circle className={classes.rim} cx="12" cy="12" r="7.4" />
        <path className={classes.moon} d={MOON} />
      </svg>
    </span>
  )
}

/** Shows a token's seal in a list until the seal ends. */
export function SealMark({ until }: { until: string }) {
  const words = describeSeal({ liquidityUntil: until, bagUntil: null, bagTokens: '0' }, useNow())
  if (words === null) return null
  return (
    <span className={`row stretch fixed self-center ${classes.mark}`}>
      <WaxSeal label={words.label} />
    </span>
  )
}

/** Says on a token's page how long the seal lasts, with a countdown in the last five minutes. */
export function SealLine({ seal }: { seal: Token['seal'] }) {
  const words = describeSeal(seal, useNow())
  const isEnding = words !== null && words.countdown !== null
  return (
    <>
      {words !== null && (
        <p className={`row gap-s small mt-xs tight ${classes.line}`} data-ending={isEnding}>
          <WaxSeal label={words.label} />
          <span className="fit balance" aria-hidden="true">
            {isEnding ? `The seal ends in ${words.countdown}. Then the creator can pull the rug.` : words.text}
          </span>
        </p>
      )}
      {/* Let screen readers announce the countdown once a minute, not every second. */}
      <p className="visually-hidden" role="status">
        {isEnding && `The seal ends in ${counted(words.minutes, 'minute')}. Then the creator can pull the rug.`}
      </p>
    </>
  )
}
