import { type FocusEvent, type KeyboardEvent, useState } from 'react'

const CONTROLS = 'a[href], button'

/** Makes the controls of an element one stop of the Tab key: arrow keys, Home and End move within. */
export function useRovingFocus(count: number) {
  const [wanted, setWanted] = useState(0)
  const active = Math.min(wanted, count - 1)
  return {
    /** Position of the control that has the tab stop. */
    active,
    onFocus: ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
      const place = [...currentTarget.querySelectorAll<HTMLElement>(CONTROLS)].indexOf(target)
      if (place !== -1) setWanted(place)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const controls = event.currentTarget.querySelectorAll<HTMLElement>(CONTROLS)
      const place = toPlace(event.key, active, controls.length)
      if (place === null || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      controls[place]?.focus()
    },
  }
}

function toPlace(key: string, active: number, count: number): number | null {
  if (key === 'ArrowRight') return Math.min(active + 1, count - 1)
  if (key === 'ArrowLeft') return Math.max(active - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
