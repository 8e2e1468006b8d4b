import type { ChainPlace } from '@papermoon/chain'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { TokenId } from '../../../lib/api/api.ts'
import { useRefetchOn } from '../../../lib/hooks/use-refetch-on.ts'
import { ChainChecker, type Check } from './chain-checker.ts'

/** Verifies a token's chain in the browser, then verifies each new trade as it arrives. */
export function useChainCheck(id: TokenId) {
  const [check, setCheck] = useState<Check>({ state: 'idle' })
  const checker = useMemo(() => new ChainChecker(id, setCheck), [id])
  useEffect(() => () => checker.stop(), [checker])
  const newest = useRef(0)
  useRefetchOn({
    concerns: ({ tokenId, seq }) => {
      if (tokenId !== id) return false
      newest.current = Math.max(newest.current, seq)
      return true
    },
    // On failure the next trade or reconnect retries.
    refetch: () => checker.follow(),
  })
  return {
    check,
    verify: (from: ChainPlace | null) => checker.verify(from, () => newest.current),
    stop: () => checker.stop(),
    forget: () => checker.forget(),
  }
}
