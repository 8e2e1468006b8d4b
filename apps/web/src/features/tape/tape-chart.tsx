import type { TapePlay } from '../../lib/api/api.ts'
import classes from './tape.module.css'
import { TAPE_MS } from './use-tape-play.ts'

const WIDTH = 1_000
const HEIGHT = 400
const MARGIN = 34

interface TapeChartProps {
  readonly points: TapePlay['points']
  readonly untilMs: number
  readonly boughtMs: number | null
  readonly soldMs?: number | null
  /** The best buy and the best sale, which are shown only when the game is over. */
  readonly best?: { readonly boughtMs: number | null; readonly soldMs: number | null }
  readonly label: string
}

/**
 * Draws the daily game's price in steps, because the price does not change between two trades. The line has no numbers,
 * because the player must not know the price.
 */
export function TapeChart({ points, untilMs, boughtMs, soldMs = null, best, label }: TapeChartProps) {
  const scale = createScale(points)
  const toX = (ms: number) => (ms / TAPE_MS) * WIDTH
  const toY = (ms: number) => scale(points.findLast((point) => point.ms <= ms)?.level ?? points[0]?.level ?? '1')
  const drawLine = (fromMs: number, toMs: number) => {
    const steps = points
      .filter(({ ms }) => ms > fromMs && ms <= toMs)
      .map(({ ms, level }) => `H${toX(ms)}V${scale(level)}`)
    return `M${toX(fromMs)} ${toY(fromMs)}${steps.join('')}H${toX(toMs)}`
  }
  const heldToMs = soldMs ?? untilMs
  const isUp = boughtMs !== null && toY(heldToMs) <= toY(boughtMs)
  return (
    <div className={`round-m on-sunken relative ${classes.chart}`} role="img" aria-label={label}>
      <svg
        className="full high block clipped round-m"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path fill="var(--pm-line)" opacity="0.35" d={`${drawLine(0, untilMs)}V${HEIGHT}H0Z`} />
        <path className="plot-line faint" d={drawLine(0, untilMs)} />
        {boughtMs !== null && (
          <g className={isUp ? 'up' : 'down'}>
            <path
              className="plot-line inked"
              strokeDasharray="5 6"
              opacity="0.7"
              d={`M${toX(boughtMs)} ${toY(boughtMs)}H${WIDTH}`}
            />
            <path className="plot-line inked" d={drawLine(boughtMs, heldToMs)} />
          </g>
        )}
      </svg>
      {best !== undefined && best.boughtMs !== null && (
        <>
          <Mark kind="best" x={toX(best.boughtMs)} y={toY(best.boughtMs)} text="☆" />
          <Mark kind="best" x={toX(best.soldMs ?? TAPE_MS)} y={toY(best.soldMs ?? TAPE_MS)} text="★" />
        </>
      )}
      {boughtMs !== null && <Mark kind="mine" x={toX(boughtMs)} y={toY(boughtMs)} text="B" />}
      {soldMs !== null && <Mark kind="mine" x={toX(soldMs)} y={toY(soldMs)} text="S" />}
      {untilMs < TAPE_MS && <Mark kind="head" x={toX(untilMs)} y={toY(untilMs)} text="" />}
    </div>
  )
}

/** Returns a function that converts price levels to heights. The height of a constant price is in the middle. */
function createScale(points: TapePlay['points']): (level: string) => number {
  const logs = points.map(({ level }) => Math.log(Number(level)))
  const middle = ((logs[0] ?? 0) + (logs.at(-1) ?? 0)) / 2
  const low = Math.min(...logs, middle - 0.03)
  const high = Math.max(...logs, middle + 0.03)
  return (level) => HEIGHT - MARGIN - ((Math.log(Number(level)) - low) / (high - low)) * (HEIGHT - 2 * MARGIN)
}

function Mark({ kind, x, y, text }: { kind: 'best' | 'mine' | 'head'; x: number; y: number; text: string }) {
  const place = { left: `${(x / WIDTH) * 100}%`, top: `${(y / HEIGHT) * 100}%` }
  return (
    <span
      className={`round text-s bold solid boxed absolute ${classes.mark}`}
      data-kind={kind}
      style={place}
      aria-hidden="true"
    >
      {text}
    </span>
  )
}
