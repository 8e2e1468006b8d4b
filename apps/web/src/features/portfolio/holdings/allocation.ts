import { Decimal } from '@papermoon/amm'
import { formatShare } from '@papermoon/format'
import type { TokenId } from '../../../lib/api/api.ts'
import type { NetWorth } from '../net-worth/worth-line.ts'

export interface AllocationPart {
  readonly key: string
  readonly kind: 'balance' | 'pools' | 'holding' | 'others'
  readonly name: string
  readonly emoji: string
  /** The token, if the part is a single holding, otherwise null. */
  readonly tokenId: TokenId | null
  readonly sol: string
  /** The displayed share of the total, such as `12.40%`. */
  readonly share: string
  /** The share as a fraction. */
  readonly size: number
}

type Raw = Pick<AllocationPart, 'key' | 'kind' | 'name' | 'emoji' | 'tokenId' | 'sol'>

/**
 * Splits a net worth into four kinds of parts: the balance, the player's own pools with holdings of those tokens, each
 * large other holding, and all remaining holdings together.
 */
export function computeAllocation(worth: NetWorth): readonly AllocationPart[] {
  const total = new Decimal(worth.netWorth)
  return rawParts(worth)
    .filter(({ kind, sol }) => kind === 'balance' || !new Decimal(sol).isZero())
    .map((part) => {
      const size = total.isZero() ? 0 : new Decimal(part.sol).div(total).toNumber()
      return { ...part, share: formatShare(part.sol, worth.netWorth), size }
    })
}

function rawParts({ balance, ownPools, openPools, largest, others, othersCount }: NetWorth): Raw[] {
  const pools = openPools === 1 ? 'SOL in your pool' : `SOL in your ${openPools} pools`
  const rest = othersCount === 1 ? '1 other token' : `${othersCount} other tokens`
  const holdings = largest.map(({ tokenId, tokenName: name, emoji, cashOutValue: sol }): Raw => {
    return { key: String(tokenId), kind: 'holding', name, emoji, tokenId, sol }
  })
  return [
    { key: 'balance', kind: 'balance', name: 'SOL balance', emoji: '🪙', tokenId: null, sol: balance },
    { key: 'pools', kind: 'pools', name: pools, emoji: '🎪', tokenId: null, sol: ownPools },
    ...holdings,
    { key: 'others', kind: 'others', name: rest, emoji: '👛', tokenId: null, sol: others },
  ]
}
