import { type RefObject, useCallback, useEffect, useState } from 'react'
import { whenIdle } from '../../lib/boot/when-idle.ts'
import { useSeen } from './use-seen.ts'

/** What hovers will: the whole chart is better there before. */
const HOVERS = '(hover: hover) and (pointer: fine)'
/** The page's own scripts and first answers come before it. */
const PATIENCE_MS = 2_000

/**
 * Whether ECharts is worth its half megabyte and its long task: from when `need` is called, by the first hand on the
 * chart. Where there is a mouse it is also ready before, a while after the chart is seen; a phone, whose processor it
 * would hold up, keeps the static picture.
 */
export function useChartNeeded(plot: RefObject<HTMLElement | null>): { isNeeded: boolean; need: () => void } {
  const [isNeeded, setNeeded] = useState(false)
  const need = useCallback(() => setNeeded(true), [])
  const isSeen = useSeen(plot)
  useEffect(() => {
    if (isNeeded || !isSeen || !matchMedia(HOVERS).matches) return
    let callOff = () => {}
    const timer = setTimeout(() => {
      callOff = whenIdle(need)
    }, PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      callOff()
    }
  }, [isNeeded, isSeen, need])
  return { isNeeded, need }
}
