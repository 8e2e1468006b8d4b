import { type RefObject, useEffect, useState } from 'react'
import { whenIdle } from '../../lib/boot/when-idle.ts'

/** Becomes true, permanently, once the element is near the viewport and the browser is idle. */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
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
