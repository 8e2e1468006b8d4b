import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Max number of cards for which a list is rendered completely. */
const WHOLE_MAX = 96
/** Number of extra rows above and below the visible area. The rendered range moves by this number of rows. */
const SPARE_ROWS = 6
/** Estimated row height including the gap, in px. This estimate is used until a row is measured. */
const ROW_GUESS = 164

/** The rendered range, and the heights in px of the space that replaces the rows outside it. */
interface RenderedRange {
  readonly from: number
  readonly to: number
  readonly above: number
  readonly below: number
}

/**
 * Returns which of `count` cards to render: those near the visible area. The number of rendered cards stays constant,
 * so that a frame takes the same time with thousands of cards.
 */
export function useRenderedRange(grid: RefObject<HTMLElement | null>, count: number): RenderedRange {
  const isWhole = count <= WHOLE_MAX
  const [shown, setShown] = useState<RenderedRange>({ from: 0, to: WHOLE_MAX, above: 0, below: 0 })
  useLayoutEffect(() => {
    if (!isWhole) setShown((before) => sameOr(before, computeRange(grid.current, count)))
  }, [isWhole, count, grid])
  useEffect(() => {
    if (isWhole) return
    let frame: number | null = null
    const look = () => {
      frame = null
      setShown((before) => sameOr(before, computeRange(grid.current, count)))
    }
    const onMove = () => {
      frame ??= requestAnimationFrame(look)
    }
    addEventListener('scroll', onMove, { passive: true })
    addEventListener('resize', onMove)
    return () => {
      if (frame !== null) cancelAnimationFrame(frame)
      removeEventListener('scroll', onMove)
      removeEventListener('resize', onMove)
    }
  }, [isWhole, count, grid])
  return isWhole ? { from: 0, to: count, above: 0, below: 0 } : shown
}

function computeRange(grid: HTMLElement | null, count: number): RenderedRange {
  if (grid === null) return { from: 0, to: WHOLE_MAX, above: 0, below: 0 }
  const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length
  const rows = Math.ceil(count / columns)
  const rowHeight = measureRowHeight(grid, columns)
  const { top } = grid.getBoundingClientRect()
  const first = Math.floor(-top / rowHeight / SPARE_ROWS) - 1
  const last = Math.ceil((innerHeight - top) / rowHeight / SPARE_ROWS) + 1
  const fromRow = clamp(first * SPARE_ROWS, rows)
  const toRow = clamp(last * SPARE_ROWS, rows)
  return {
    from: fromRow * columns,
    to: Math.min(toRow * columns, count),
    above: fromRow * rowHeight,
    below: (rows - toRow) * rowHeight,
  }
}

/** Returns the distance between two rows, in px. */
function measureRowHeight(grid: HTMLElement, columns: number): number {
  const [one, next] = [grid.children[0], grid.children[columns]]
  if (!(one instanceof HTMLElement) || !(next instanceof HTMLElement)) return ROW_GUESS
  return next.offsetTop - one.offsetTop || ROW_GUESS
}

function clamp(row: number, rows: number): number {
  return Math.min(Math.max(row, 0), rows)
}

function sameOr(before: RenderedRange, next: RenderedRange): RenderedRange {
  const isSame =
    before.from === next.from && before.to === next.to && before.above === next.above && before.below === next.below
  return isSame ? before : next
}
