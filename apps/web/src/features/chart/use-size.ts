import { type RefObject, startTransition, useEffect, useState } from 'react'
import type { Size } from './echarts/plot-layout.ts'

/** The size of an element, in pixels; null until the browser has laid it out, which costs no layout of its own. */
export function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      // What is drawn in it may be drawn in slices.
      startTransition(() => setSize({ width, height }))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}
