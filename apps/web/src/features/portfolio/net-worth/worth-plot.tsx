import { formatSol, getSign } from '@papermoon/format'
import { type KeyboardEvent, type PointerEvent, useId } from 'react'
import { positionAfterKey } from '../../../lib/ui/position-after-key.ts'
import { countDecimals, nearestTo, type WorthLine } from './worth-line.ts'
import classes from './worth-plot.module.css'

/** Width and height of the SVG's view box, which fills the plot. */
const SIZE = 1_000
const DIRECTIONS = { '-1': 'down', '0': 'level', '1': 'up' } as const

interface WorthPlotProps {
  readonly line: WorthLine
  readonly label: string
  readonly description: string
  /** Index of the selected point, or null if no point is selected. */
  readonly selected: number | null
  readonly onSelect: (selected: number | null) => void
}

/** Draws the net worth as a line with a dot at the newest point. Arrow keys and the pointer select a point. */
export function WorthPlot({ line, label, description, selected, onSelect }: WorthPlotProps) {
  const last = line.positions.length - 1
  const decimals = countDecimals(line)
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSelect(nearestTo(line, (event.clientX - left) / width))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = positionAfterKey(event.key, selected ?? last, last)
    if (next === undefined) return
    event.preventDefault()
    onSelect(next)
  }
  return (
    <div className={`flex high ${classes.plot}`} data-direction={DIRECTIONS[`${getSign(line.gain)}`]}>
      <div
        className={`grow round-s relative ${classes.drawing}`}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={selected ?? last}
        aria-valuetext={description}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => onSelect(null)}
        onBlur={() => onSelect(null)}
        onKeyDown={onKeyDown}
      >
        <Curve line={line} selected={selected} />
        <Dot line={line} selected={selected ?? last} />
      </div>
      <div className={`fixed dim text-xs text-right relative ${classes.axis}`} aria-hidden="true">
        {line.grid.map(({ sol, y }) => (
          <span key={sol} className={`absolute ${classes.tick} cut`} style={{ top: `${y * 100}%` }}>
            {formatSol(sol, decimals)}
          </span>
        ))}
      </div>
    </div>
  )
}

function Curve({ line, selected }: Pick<WorthPlotProps, 'line' | 'selected'>) {
  const gradient = useId()
  const path = line.positions.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${along(x)} ${along(y)}`).join('')
  return (
    <svg
      className={`cover full high ${classes.svg}`}
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
          <stop className={classes.shadeTop} offset="0" />
          <stop className={classes.shadeEnd} offset="1" />
        </linearGradient>
      </defs>
      {line.grid.map(({ sol, y }) => (
        <line key={sol} className={classes.grid} x1="0" x2={SIZE} y1={along(y)} y2={along(y)} />
      ))}
      <path d={`${path}L${SIZE} ${SIZE}L0 ${SIZE}Z`} fill={`url(#${gradient})`} />
      <path className={classes.line} d={path} />
      {selected !== null && (
        <path className={classes.cursor} d={`M${along(line.positions[selected]?.x ?? 1)} 0V${SIZE}`} />
      )}
    </svg>
  )
}

function Dot({ line, selected }: { line: WorthLine; selected: number }) {
  const at = line.positions[selected]
  if (at === undefined) return null
  return (
    <span
      className={`round absolute untouchable ${classes.dot}`}
      style={{ left: `${at.x * 100}%`, top: `${at.y * 100}%` }}
      aria-hidden="true"
    />
  )
}

function along(fraction: number): string {
  return (fraction * SIZE).toFixed(1)
}
