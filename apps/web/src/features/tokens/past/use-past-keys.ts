import { type Dispatch, useEffect, useRef } from 'react'
import { areLetterKeysOn } from '../../../lib/ui/hotkeys.ts'
import type { Player, PlayerAction } from './player.ts'

/** Elements that have a use for the keys themselves. */
const OWN_KEYS = 'input, textarea, select, [role="slider"], [contenteditable="true"], [aria-modal="true"] *'
/** Elements that the space bar presses. */
const PRESSED = 'button, a, summary'

/** Left and right step, Home and End lead to both ends, the space bar plays and pauses. */
export function usePastKeys(player: Player, dispatch: Dispatch<PlayerAction>): void {
  const latest = useRef(player)
  useEffect(() => {
    latest.current = player
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return
      const action = findAction(event, latest.current)
      if (action === null) return
      event.preventDefault()
      dispatch(action)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [dispatch])
}

function findAction({ key, target }: KeyboardEvent, { isPlaying }: Player): PlayerAction | null {
  if (target instanceof Element && target.closest(OWN_KEYS) !== null) return null
  if (document.querySelector('[aria-modal="true"]') !== null) return null
  if (key === 'ArrowLeft') return { type: 'step', by: -1 }
  if (key === 'ArrowRight') return { type: 'step', by: 1 }
  if (key === 'Home') return { type: 'seek', seq: 0 }
  if (key === 'End') return { type: 'end' }
  if (key !== ' ' || !areLetterKeysOn()) return null
  if (target instanceof Element && target.closest(PRESSED) !== null) return null
  return { type: isPlaying ? 'pause' : 'play' }
}
