import { useEffect, useState } from 'react'
import type { TokenId } from '../api/api.ts'
import { forgetIntent, readIntent, type TradeIntent } from '../market/kept-intent.ts'

/**
 * The order that the visitor wanted to place on this token before signing in, or null. It stays the same until the
 * component is unmounted; a signed-in player gets it once.
 */
export function useKeptOrder(tokenId: TokenId, isSignedIn: boolean): TradeIntent | null {
  const [order] = useState(() => {
    const intent = readIntent()
    return intent?.kind === 'trade' && intent.tokenId === tokenId ? intent : null
  })
  useEffect(() => {
    if (isSignedIn && order !== null) forgetIntent()
  }, [isSignedIn, order])
  return order
}
