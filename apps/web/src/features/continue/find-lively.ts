import type { Token } from '../../lib/api/api.ts'

type Mover = Pick<Token, 'id' | 'symbol' | 'emoji' | 'ruggedAt'>
type Movers = Readonly<Record<'rising' | 'hot' | 'fresh', readonly Mover[]>>

/** Returns the first open token among the rising tokens, otherwise among the most traded or new tokens. */
export function findLively({ rising, hot, fresh }: Movers): (Mover & { readonly isRising: boolean }) | undefined {
  const token = [...rising, ...hot, ...fresh].find(({ ruggedAt }) => ruggedAt === null)
  return token && { ...token, isRising: rising.includes(token) }
}
