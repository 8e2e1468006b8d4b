import type { Token } from '../../lib/api/api.ts'

type Mover = Pick<Token, 'id' | 'symbol' | 'emoji' | 'ruggedAt'>
type Movers = Readonly<Record<'rising' | 'hot' | 'fresh', readonly Mover[]>>

/** The first open token of what rises, else of what is traded most or is new. */
export function findLively({ rising, hot, fresh }: Movers): (Mover & { readonly isRising: boolean }) | undefined {
  const token = [...rising, ...hot, ...fresh].find(({ ruggedAt }) => ruggedAt === null)
  return token && { ...token, isRising: rising.includes(token) }
}
