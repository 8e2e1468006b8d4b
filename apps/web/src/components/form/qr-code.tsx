import { encode } from 'uqr'
import classes from './qr-code.module.css'

/** Number of blank cells around the code, which scanners require. */
const QUIET_CELLS = 3

interface QrCodeProps {
  readonly text: string
  /** Text for screen readers that says what the code contains. */
  readonly label: string
}

/**
 * Draws a text as a QR code in the browser. The text is never sent anywhere. Import this component lazily, because it
 * contains the QR code library.
 */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_CELLS })
  return (
    <svg
      className={`block round-s ${classes.qr}`}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={toPath(data)} fill="#000" />
    </svg>
  )
}

/** Draws one rectangle for each run of dark cells in a row. */
function toPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      [
        ...row
          .map((dark) => (dark ? '#' : ' '))
          .join('')
          .matchAll(/#+/g),
      ].map((run) => [run, y] as const),
    )
    .map(([run, y]) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)
    .join('')
}
