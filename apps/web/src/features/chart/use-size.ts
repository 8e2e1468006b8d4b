import { type RefObject, startTransition, useEffect, useState } from 'react'
import type { Size } from './echarts/plot-layout.ts'

/** An element's size in pixels; null until the first layout. Uses a ResizeObserver, so it forces no layout. */
export function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      // A transition, so that rendering the content may be split.
      startTransition(() => setSize({ width, height }))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}
