import { useEffect } from 'react'
import type { Fair } from '../api/api.ts'
import { hasJoined } from './fair-time.ts'
import { showFair } from './shown-fair.ts'

/** Shows a fair in the header while its page is open. */
export function useFairInHeader(fair: Fair | undefined): void {
  useEffect(() => {
    if (fair?.state !== 'open' || fair.me?.balance == null || !hasJoined(fair)) return
    showFair({ balance: fair.me.balance, launch: { fair: fair.id } })
    return () => showFair(null)
  }, [fair])
}

/** Returns whether a player may launch tokens in the fair now. */
export function mayLaunch(fair: Fair): boolean {
  return (
    hasJoined(fair) &&
    fair.state === 'open' &&
    (fair.launches === 'all' || (fair.launches === 'host' && fair.me?.isHost === true))
  )
}
