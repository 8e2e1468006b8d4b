import type { MarketEvent, TradeEvent } from '../market/events.ts'
import { DAY_MS, FEE, LAUNCH_COST, LAUNCH_SOL, LAUNCH_TOKENS, MINUTE_MS, toTokensOut } from '../market/figures.ts'
import { countSealedTokens, isLiquiditySealed, type Seal, toSealEnd } from '../market/seal.ts'
import type { TokenView } from '../market/views.ts'

/**
 * Max growth of the house's possible loss per day, in SOL. The house can lose this amount once more if it had no
 * earlier losses.
 */
export const HOUSE_RISK_PER_DAY_SOL = 10
/** Max risk in SOL for a stranger's token. The fees that strangers paid for the token increase this limit. */
export const GIFT_SOL = 0.2
/** Max risk in SOL for a sealed token or a token of the house. The fees that strangers paid increase this limit. */
export const SEALED_TOKEN_SOL = 3
/** Max risk for one token in SOL, even with high fees. */
export const TOKEN_MAX_SOL = 5
/** Factor by which each earlier rug pull reduces the trust in a creator. */
const TRUST_AFTER_RUG = 0.25
/** Max part of the allowed risk in a stranger's token that one order can use. With this limit, several bots can buy. */
const ORDER_SHARE = 0.25
const ENTRIES_MAX = 2048
/** Time before a seal's end from which the house sells a stranger's token, in ms. */
export const LEAVE_MS = 12 * MINUTE_MS
/** Max number of tokens held by strangers that counts as a rounding error. */
const DUST_TOKENS = 1

interface Entry {
  readonly isOwn: boolean
  /**
   * Max risk in SOL, without fees. The first limit applies while a rug pull is possible, the second while it is not.
   */
  readonly cap: number
  readonly sealedCap: number
  seal: Seal
  /** SOL that the house paid into the pool minus the SOL that it took out, without fees. */
  net: number
  /** Number of tokens that the house holds. */
  tokens: number
  /** Number of tokens that strangers hold. */
  strangers: number
  /** Fees that strangers paid, in SOL. */
  fees: number
  isRugged: boolean
  /** Max SOL that strangers can take or have already taken, see `toRisk`. */
  risk: number
  /** SOL of orders that have not ended yet. */
  pending: number
  touchedAtMs: number
}

/**
 * Limits the house's possible loss. The worst case for each token is known exactly: strangers sell everything first, or
 * the creator pulls the rug. Only the house's buys are limited, because nothing else raises the possible loss.
 */
export class Exposure {
  readonly #isHouse: (userId: number) => boolean
  readonly #entries = new Map<number, Entry>()
  /** Sum of all positive risks in SOL. As time passes, the house may risk a part of this sum again. */
  #risk = 0
  #forgiven = 0
  #forgivenAtMs: number
  /** SOL of all unfinished orders in strangers' tokens. */
  #pending = 0
  /** Time at which the next seal of any token ends, in Unix ms. */
  #sealEndsMs = Number.POSITIVE_INFINITY

  constructor(isHouse: (userId: number) => boolean, startMs: number) {
    this.#isHouse = isHouse
    this.#forgivenAtMs = startMs
  }

  /** SOL that strangers took from the house or could take now, over all tokens. */
  get risk(): number {
    return this.#risk
  }

  /** Returns how much of `sol` the house may spend on the token now. 0 means nothing. */
  limitBuy(token: TokenView, sol: number, nowMs: number): number {
    this.#endSeals(nowMs)
    const entry = this.#toEntry(token)
    const { isOwn, seal } = entry
    const isUndrainable = isOwn || isLiquiditySealed(seal, nowMs)
    if (!isOwn && isUndrainable && nowMs >= toSealEnd(seal, nowMs) - LEAVE_MS) return 0
    // The house can lose nothing here, because no other player can sell.
    if (isUndrainable && entry.strangers - countLocked(entry, nowMs) <= DUST_TOKENS) return sol
    const cap = Math.min(TOKEN_MAX_SOL, (isUndrainable ? entry.sealedCap : entry.cap) + entry.fees)
    // A loss counts only to the extent that it exceeds earlier gains with this token.
    const free = Math.min(cap - entry.risk, this.#freeRisk(nowMs) - Math.min(0, entry.risk))
    let allowed = isUndrainable ? sol : Math.min(sol, cap * ORDER_SHARE)
    for (let halving = 0; halving < 4; halving++) {
      if (this.#riskAfter(entry, token, { sol: allowed, nowMs }) - entry.risk <= free) return allowed
      allowed /= 2
    }
    return 0
  }

  /** Counts an order's SOL as pending until its event arrives or the order is rejected. */
  reserve(tokenId: number, sol: number): void {
    const entry = this.#entries.get(tokenId)
    if (entry === undefined) return
    const change = Math.max(-entry.pending, sol)
    entry.pending += change
    if (!entry.isOwn) this.#pending += change
  }

  /** Adds a token that was launched before the first event. Call this function before `addBag` and `observe`. */
  addToken(token: TokenView): void {
    this.#toEntry(token)
  }

  /**
   * Adds a holding as it was before the first event. With a stranger's token, the house can lose the holding's whole
   * cost.
   */
  addBag(token: TokenView, { amount, cost }: { readonly amount: number; readonly cost: number }): void {
    const entry = this.#toEntry(token)
    entry.tokens += amount
    entry.strangers -= amount
    entry.net += entry.isOwn ? toPoolSol(entry.tokens) - toPoolSol(entry.tokens - amount) : cost
    // When the seal ends later, `#endSeals` updates the risk again.
    this.#updateRisk(entry, this.#forgivenAtMs)
  }

  /** Returns the time by which the house must sell its tokens, or null if there is none. */
  mustLeaveBy(token: TokenView, nowMs: number): number | null {
    const { isOwn, net, seal } = this.#toEntry(token)
    if (isOwn || token.isRugged) return null
    const endMs = toSealEnd(seal, nowMs)
    if (endMs > 0) return nowMs >= endMs - LEAVE_MS ? endMs : null
    // Sell now, because the seal may have ended while no bot was running.
    return net > TOKEN_MAX_SOL * 1.1 ? nowMs : null
  }

  observe(event: MarketEvent, token: TokenView | undefined): void {
    if (token === undefined) return
    const entry = this.#toEntry(token)
    entry.touchedAtMs = event.atMs
    if (event.type === 'trade') this.#applyTrade(entry, event)
    else if (event.type === 'rug') {
      entry.isRugged = true
      if (this.#isHouse(event.userId)) entry.net -= event.sol
    } else if (event.type === 'seal') this.#noteSeal(entry, token.seal, event.atMs)
    else return
    this.#updateRisk(entry, event.atMs)
  }

  #noteSeal(entry: Entry, seal: Seal, nowMs: number): void {
    entry.seal = seal
    const endMs = toSealEnd(seal, nowMs)
    if (endMs > 0) this.#sealEndsMs = Math.min(this.#sealEndsMs, endMs)
  }

  /** Updates the risk for tokens whose seal has ended. */
  #endSeals(nowMs: number): void {
    if (nowMs < this.#sealEndsMs) return
    this.#sealEndsMs = Number.POSITIVE_INFINITY
    for (const entry of this.#entries.values()) {
      if (entry.seal.liquidityUntilMs === 0) continue
      this.#noteSeal(entry, entry.seal, nowMs)
      this.#updateRisk(entry, nowMs)
    }
  }

  #applyTrade(entry: Entry, { tokenId, userId, side, sol, fee, tokens }: TradeEvent): void {
    const moved = side === 'buy' ? tokens : -tokens
    if (!this.#isHouse(userId)) {
      entry.strangers += moved
      entry.fees += fee
      return
    }
    if (side === 'buy') this.reserve(tokenId, -sol)
    entry.tokens = Math.max(0, entry.tokens + moved)
    entry.net += side === 'buy' ? sol - fee : -(sol + fee)
  }

  #updateRisk(entry: Entry, nowMs: number): void {
    this.#risk -= Math.max(0, entry.risk)
    entry.risk = toRisk(entry, entry, nowMs)
    this.#risk += Math.max(0, entry.risk)
  }

  #riskAfter(
    entry: Entry,
    { solReserve, tokenReserve }: TokenView,
    { sol, nowMs }: { readonly sol: number; readonly nowMs: number },
  ): number {
    const spent = sol + entry.pending
    const tokens = entry.tokens + toTokensOut(solReserve, tokenReserve, spent)
    return toRisk({ net: entry.net + spent * (1 - FEE), tokens }, entry, nowMs)
  }

  #freeRisk(nowMs: number): number {
    const earned = ((nowMs - this.#forgivenAtMs) / DAY_MS) * HOUSE_RISK_PER_DAY_SOL
    if (earned > 0) {
      this.#forgiven = Math.min(this.#risk, this.#forgiven + earned)
      this.#forgivenAtMs = nowMs
    }
    return HOUSE_RISK_PER_DAY_SOL - (this.#risk - this.#forgiven) - this.#pending
  }

  #toEntry(token: TokenView): Entry {
    const known = this.#entries.get(token.id)
    if (known !== undefined) return known
    const isOwn = this.#isHouse(token.creatorId)
    const entry: Entry = {
      isOwn,
      cap: (LAUNCH_COST + GIFT_SOL) * toTrust(token),
      sealedCap: SEALED_TOKEN_SOL * (isOwn ? 1 : toTrust(token)),
      seal: token.seal,
      net: 0,
      tokens: 0,
      // Until a holding is added, all tokens outside the pool count as strangers' tokens.
      strangers: LAUNCH_TOKENS - token.tokenReserve,
      fees: 0,
      isRugged: token.isRugged,
      risk: 0,
      pending: 0,
      touchedAtMs: token.createdAtMs,
    }
    this.#entries.set(token.id, entry)
    this.#noteSeal(entry, token.seal, 0)
    if (this.#entries.size > ENTRIES_MAX) this.#forgetIdlest()
    return entry
  }

  /** Removes the entry that was idle for the longest time. The losses of the removed token stay in the sum. */
  #forgetIdlest(): void {
    let idlest: number | undefined
    let touchedAtMs = Number.POSITIVE_INFINITY
    for (const [tokenId, entry] of this.#entries) {
      if (entry.touchedAtMs >= touchedAtMs) continue
      idlest = tokenId
      touchedAtMs = entry.touchedAtMs
    }
    if (idlest !== undefined) this.#entries.delete(idlest)
  }
}

/**
 * Returns the max SOL that other players could take from the house. If a rug pull is possible, other players could take
 * everything. If the token is the house's own or sealed, they sell all they can; then x·y = k gives what the pool still
 * pays for the house's tokens. The house can sell before the creator, who cannot sell sealed tokens.
 */
function toRisk({ net, tokens }: Pick<Entry, 'net' | 'tokens'>, entry: Entry, nowMs: number): number {
  const isUndrainable = entry.isOwn || isLiquiditySealed(entry.seal, nowMs)
  if (!isUndrainable || entry.isRugged) return net
  const locked = countLocked(entry, nowMs)
  return net - (toPoolSol(locked + tokens) - toPoolSol(locked))
}

/** Returns the number of tokens that strangers hold and cannot sell. */
function countLocked({ isOwn, seal }: Entry, nowMs: number): number {
  return isOwn ? 0 : countSealedTokens(seal, nowMs)
}

/** Returns the real SOL in a pool after this number of tokens was bought, by x·y = k. */
function toPoolSol(tokens: number): number {
  return (LAUNCH_SOL * LAUNCH_TOKENS) / (LAUNCH_TOKENS - tokens) - LAUNCH_SOL
}

/** Returns the trust in a creator. Several launches in a day and a rug pull reduce it. */
function toTrust({ creatorLaunches, creatorRugs }: TokenView): number {
  return TRUST_AFTER_RUG ** creatorRugs / creatorLaunches
}
