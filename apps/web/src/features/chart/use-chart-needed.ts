import { type RefObject, useCallback, useEffect, useState } from 'react'
import { whenIdle } from '../../lib/boot/when-idle.ts'

/** Devices with a mouse will hover soon, so load ECharts ahead there. */
const HOVERS = '(hover: hover) and (pointer: fine)'
/** Delay, ms: the page's own scripts and first calls come first. */
const PATIENCE_MS = 2_000

/**
 * Whether to load ECharts (half a megabyte and a long task): on the first interaction, when `need` is called. On
 * devices with a mouse also ahead of it, some time after the chart is visible. Phones keep the static picture until
 * then.
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

/** Becomes true, permanently, once the element is near the viewport and the browser is idle. */
function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (isSeen || element.current === null) return
    let callOff = () => {}
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        observer.disconnect()
        callOff = whenIdle(() => setSeen(true))
      },
      { rootMargin: '200px' },
    )
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      callOff()
    }
  }, [element, isSeen])
  return isSeen
}
