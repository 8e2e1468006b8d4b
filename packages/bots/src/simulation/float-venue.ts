import type { MarketEvent, TradeEvent } from '../market/events.ts'
import { FEE, LAUNCH_COST, LAUNCH_SOL, LAUNCH_TOKENS, toGrossOut, toTokensOut } from '../market/figures.ts'
import { countSealedTokens, isLiquiditySealed, NO_SEAL, SEAL_TERMS_MS, type Seal } from '../market/seal.ts'
import type { BotOrder, BuyOrder, LaunchOrder, RugOrder, SealOrder, SellOrder } from '../orders.ts'
import type { Outcome, Venue } from './venue.ts'

interface Account {
  balance: number
  readonly holdings: Map<number, number>
}

interface PoolState {
  readonly creatorId: number
  sol: number
  tokens: number
  isRugged: boolean
  seal: Seal
}

/** Max SOL by which rounding can push a pool's real SOL below zero. */
const DUST = 1e-9

/**
 * A fast venue for simulations. The venue computes with floats. Its results equal those of `@papermoon/amm` except for
 * rounding.
 */
export class FloatVenue implements Venue {
  readonly #accounts = new Map<number, Account>()
  readonly #pools = new Map<number, PoolState>()
  #lastTokenId = 0

  /** Opens an account with this balance, or adds to the balance of an existing account. */
  grant(userId: number, sol: number): void {
    const account = this.#accounts.get(userId)
    if (account === undefined) this.#accounts.set(userId, { balance: sol, holdings: new Map() })
    else account.balance += sol
  }

  balance(userId: number): number {
    return this.#account(userId).balance
  }

  holding(userId: number, tokenId: number): number {
    return this.#account(userId).holdings.get(tokenId) ?? 0
  }

  /** Returns how much SOL the users would get after fees if all of them sold everything. */
  cashOut(userIds: readonly number[]): number {
    const bags = new Map<number, number>()
    for (const userId of userIds) {
      for (const [tokenId, amount] of this.#account(userId).holdings) {
        bags.set(tokenId, (bags.get(tokenId) ?? 0) + amount)
      }
    }
    let sol = 0
    // Sum the holdings per token first. One sale of the sum pays as much as several sales one after another.
    for (const [tokenId, amount] of bags) {
      const pool = this.#pools.get(tokenId)
      if (pool !== undefined && !pool.isRugged) sol += toGrossOut(pool.sol, pool.tokens, amount) * (1 - FEE)
    }
    return sol
  }

  place(order: BotOrder, atMs: number): Outcome {
    switch (order.kind) {
      case 'buy':
        return this.#buy(order, atMs)
      case 'sell':
        return this.#sell(order, atMs)
      case 'launch':
        return this.#launch(order, atMs)
      case 'rug':
        return this.#rug(order, atMs)
      case 'seal':
        return this.#seal(order, atMs)
    }
  }

  #buy({ userId, tokenId, sol, minTokensOut }: BuyOrder, atMs: number): Outcome {
    const pool = this.#pools.get(tokenId)
    const account = this.#account(userId)
    if (pool === undefined) return refuse('TOKEN_NOT_FOUND')
    if (pool.isRugged) return refuse('POOL_CLOSED')
    if (!(sol > 0)) return refuse('NOT_POSITIVE')
    if (account.balance < sol) return refuse('INSUFFICIENT_BALANCE')
    const tokens = toTokensOut(pool.sol, pool.tokens, sol)
    if (tokens < minTokensOut) return refuse('SLIPPAGE_EXCEEDED')
    const fee = sol * FEE
    account.balance -= sol
    pool.sol += sol - fee
    pool.tokens -= tokens
    const holding = (account.holdings.get(tokenId) ?? 0) + tokens
    account.holdings.set(tokenId, holding)
    return traded(pool, { atMs, tokenId, userId, side: 'buy', sol, fee, tokens, holding })
  }

  #sell({ userId, tokenId, tokens, minSolOut }: SellOrder, atMs: number): Outcome {
    const pool = this.#pools.get(tokenId)
    const account = this.#account(userId)
    const held = account.holdings.get(tokenId) ?? 0
    if (pool === undefined) return refuse('TOKEN_NOT_FOUND')
    if (pool.isRugged) return refuse('POOL_CLOSED')
    if (!(tokens > 0)) return refuse('NOT_POSITIVE')
    if (held < tokens) return refuse('INSUFFICIENT_TOKENS')
    const sealed = userId === pool.creatorId ? countSealedTokens(pool.seal, atMs) : 0
    if (held - sealed < tokens) return refuse('SEALED')
    const gross = toGrossOut(pool.sol, pool.tokens, tokens)
    if (gross > pool.sol - LAUNCH_SOL + DUST) return refuse('INSUFFICIENT_LIQUIDITY')
    const fee = gross * FEE
    const sol = gross - fee
    if (sol < minSolOut) return refuse('SLIPPAGE_EXCEEDED')
    account.balance += sol
    pool.sol -= gross
    pool.tokens += tokens
    const holding = held - tokens
    if (holding > 0) account.holdings.set(tokenId, holding)
    else account.holdings.delete(tokenId)
    return traded(pool, { atMs, tokenId, userId, side: 'sell', sol, fee, tokens, holding })
  }

  #launch({ userId, story, initialBuy, seal }: LaunchOrder, atMs: number): Outcome {
    const account = this.#account(userId)
    if (account.balance < LAUNCH_COST + initialBuy) return refuse('INSUFFICIENT_BALANCE')
    account.balance -= LAUNCH_COST
    const tokenId = ++this.#lastTokenId
    this.#pools.set(tokenId, {
      creatorId: userId,
      sol: LAUNCH_SOL,
      tokens: LAUNCH_TOKENS,
      isRugged: false,
      seal: NO_SEAL,
    })
    const { name, symbol } = story
    const events: MarketEvent[] = [{ type: 'launch', atMs, tokenId, creatorId: userId, name, symbol }]
    const buy: BuyOrder = { kind: 'buy', userId, tokenId, sol: initialBuy, minTokensOut: 0 }
    const outcomes: Outcome[] = []
    if (initialBuy > 0) outcomes.push(this.#buy(buy, atMs))
    if (seal !== undefined) outcomes.push(this.#seal({ kind: 'seal', userId, tokenId, seal }, atMs))
    for (const outcome of outcomes) if (outcome.isDone) events.push(...outcome.events)
    return { isDone: true, events }
  }

  #rug({ userId, tokenId }: RugOrder, atMs: number): Outcome {
    const pool = this.#pools.get(tokenId)
    if (pool === undefined) return refuse('TOKEN_NOT_FOUND')
    if (pool.creatorId !== userId) return refuse('NOT_YOURS')
    if (pool.isRugged) return refuse('POOL_CLOSED')
    if (isLiquiditySealed(pool.seal, atMs)) return refuse('SEALED')
    const sol = pool.sol - LAUNCH_SOL
    this.#account(userId).balance += sol
    pool.isRugged = true
    pool.sol = 0
    return done({ type: 'rug', atMs, tokenId, userId, sol })
  }

  #seal({ userId, tokenId, seal: { term, bag } }: SealOrder, atMs: number): Outcome {
    const pool = this.#pools.get(tokenId)
    if (pool === undefined) return refuse('TOKEN_NOT_FOUND')
    if (pool.creatorId !== userId) return refuse('NOT_YOURS')
    if (pool.isRugged) return refuse('POOL_CLOSED')
    const { liquidityUntilMs, bagUntilMs } = pool.seal
    const untilMs = atMs + SEAL_TERMS_MS[term]
    if (untilMs < Math.max(liquidityUntilMs, bag ? bagUntilMs : 0)) return refuse('SEAL_TOO_SHORT')
    const kind = atMs < liquidityUntilMs ? 'renewed' : 'sealed'
    const bagSeal = bag ? { bagUntilMs: untilMs, bagTokens: this.holding(userId, tokenId) } : {}
    pool.seal = { ...pool.seal, liquidityUntilMs: untilMs, ...bagSeal }
    return done({ type: 'seal', atMs, tokenId, userId, kind, seal: pool.seal })
  }

  #account(userId: number): Account {
    const account = this.#accounts.get(userId)
    if (account === undefined) throw new RangeError(`There is no account ${userId}.`)
    return account
  }
}

const refuse = (code: string): Outcome => ({ isDone: false, code })
const done = (event: MarketEvent): Outcome => ({ isDone: true, events: [event] })

/** Creates a trade event with the reserves after the trade. */
function traded({ sol, tokens }: PoolState, trade: Omit<TradeEvent, 'type' | 'solReserve' | 'tokenReserve'>): Outcome {
  return done({ type: 'trade', solReserve: sol, tokenReserve: tokens, ...trade })
}
