import type { PapermoonClient } from '@papermoon/client'

/** Tokens held, and what they cost in SOL; exact decimals as text. */
export interface Holding {
  readonly amount: string
  readonly cost: string
}

/** The player's balance and holding in an order's answer. */
interface Position extends Holding {
  readonly tokenId: number
  readonly balance: string
}

/** A player's money as the server last told it. Immutable. */
export interface Account {
  readonly userId: number
  /** SOL, an exact decimal as text. */
  readonly balance: string
  readonly holdings: ReadonlyMap<number, Holding>
}

/** The server does not know the key's player. */
export class NoAccountError extends Error {
  constructor() {
    super('The server knows no player for this key.')
  }
}

/** Reads the account. Both queries go in one request. */
export async function readAccount({ api }: Pick<PapermoonClient, 'api'>, signal: AbortSignal): Promise<Account> {
  const [me, portfolio] = await Promise.all([
    api.auth.me.query(undefined, { signal }),
    api.portfolio.get.query({}, { signal }),
  ])
  if (me === null) throw new NoAccountError()
  const holdings = portfolio.map(({ tokenId, amount, cost }) => [tokenId, { amount, cost }] as const)
  return { userId: me.id, balance: me.solBalance, holdings: new Map(holdings) }
}

/** The account after a trade. */
export function withPosition(account: Account, { tokenId, balance, amount, cost }: Position): Account {
  const holdings = new Map<number, Holding>(account.holdings)
  if (Number(amount) > 0) holdings.set(tokenId, { amount, cost })
  else holdings.delete(tokenId)
  return { ...account, balance, holdings }
}
