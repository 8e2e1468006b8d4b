import { encode } from 'uqr'
import classes from './factors.module.css'

/** White cells around the code, which cameras need to find it. */
const QUIET_CELLS = 3

interface QrCodeProps {
  readonly text: string
  /** What it leads to, for screen readers. */
  readonly label: string
}

/** A text as a QR code, drawn here: it leaves the page for nowhere. Load it late. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_CELLS })
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={toPath(data)} fill="#000" />
    </svg>
  )
}

/** One bar for each run of dark cells in a row. */
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
