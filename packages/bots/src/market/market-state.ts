import type { LaunchEvent, MarketEvent } from './events.ts'
import { DAY_MS, LAUNCH_SOL, LAUNCH_TOKENS } from './figures.ts'
import { type Creator, type TokenStart, TokenState } from './token-state.ts'
import type { MarketView, TokenView } from './views.ts'

const TOKENS_MAX = 512
const CREATORS_MAX = 4096
const LAUNCHES_MAX = 32

export interface MarketStateOptions {
  /** Whether a token must never be removed, for example because a bot holds it. */
  readonly isPinned?: (tokenId: number) => boolean
}

/**
 * The market's current state, computed from its events, for simulations and live bots. Processing an event takes
 * constant time. The state has at most 512 tokens and 4,096 creators, and drops those that were idle for the longest
 * time.
 */
export class MarketState implements MarketView {
  readonly #tokens = new Map<number, TokenState>()
  readonly #creators = new Map<number, Creator>()
  readonly #isPinned: (tokenId: number) => boolean

  constructor({ isPinned = () => false }: MarketStateOptions = {}) {
    this.#isPinned = isPinned
  }

  get tokens(): Iterable<TokenView> {
    return this.#tokens.values()
  }

  get tokenCount(): number {
    return this.#tokens.size
  }

  findToken(tokenId: number): TokenView | undefined {
    return this.#tokens.get(tokenId)
  }

  /** Adds a token that was launched before the first event, for example one read from the API. */
  addToken(start: TokenStart): void {
    this.#tokens.set(start.id, new TokenState(start, this.#toCreator(start.creatorId)))
    if (this.#tokens.size > TOKENS_MAX) this.#forgetIdlest()
  }

  /** Adds the rug pulls that a creator made before the first event. */
  addRugs(creatorId: number, rugs: number): void {
    this.#toCreator(creatorId).rugs += rugs
  }

  apply(event: MarketEvent): void {
    if (event.type === 'launch') {
      this.#applyLaunch(event)
      return
    }
    const token = this.#tokens.get(event.tokenId)
    if (token === undefined) return
    if (event.type === 'trade') token.applyTrade(event)
    // Do not clear the end times of a seal that has ended.
    else if (event.type === 'seal') token.seal = event.kind === 'expired' ? token.seal : event.seal
    else {
      token.applyRug(event.atMs)
      const creator = this.#toCreator(event.userId)
      creator.rugs++
      creator.lastDump = { tokenId: event.tokenId, atMs: event.atMs }
    }
  }

  #applyLaunch({ tokenId, name, symbol, creatorId, atMs }: LaunchEvent): void {
    const creator = this.#toCreator(creatorId)
    creator.launchesMs = creator.launchesMs.filter((launchedMs) => launchedMs > atMs - DAY_MS).slice(-LAUNCHES_MAX)
    creator.launchesMs.push(atMs)
    this.addToken({
      id: tokenId,
      name,
      symbol,
      createdAtMs: atMs,
      creatorId,
      creatorRugs: creator.rugs,
      creatorLaunches: creator.launchesMs.length,
      solReserve: LAUNCH_SOL,
      tokenReserve: LAUNCH_TOKENS,
      lastTradeAtMs: atMs,
      tradeCount: 0,
      volume: 0,
      holderCount: 0,
      isRugged: false,
    })
  }

  #toCreator(creatorId: number): Creator {
    const known = this.#creators.get(creatorId)
    if (known !== undefined) return known
    const creator: Creator = { rugs: 0, launchesMs: [], lastDump: null }
    this.#creators.set(creatorId, creator)
    if (this.#creators.size > CREATORS_MAX) this.#forgetCreator()
    return creator
  }

  /** Removes the oldest creator without a rug pull, or the oldest creator if each has made a rug pull. */
  #forgetCreator(): void {
    for (const [creatorId, { rugs }] of this.#creators) {
      if (rugs > 0) continue
      this.#creators.delete(creatorId)
      return
    }
    for (const creatorId of this.#creators.keys()) {
      this.#creators.delete(creatorId)
      return
    }
  }

  #forgetIdlest(): void {
    let idlest: TokenState | undefined
    for (const token of this.#tokens.values()) {
      if (this.#isPinned(token.id) && !token.isRugged) continue
      if (idlest === undefined || isIdler(token, idlest)) idlest = token
    }
    if (idlest !== undefined) this.#tokens.delete(idlest.id)
  }
}

/**
 * Returns whether `token` should be removed before `other`. Rugged tokens are removed first, then the tokens with the
 * oldest last trade.
 */
function isIdler(token: TokenState, other: TokenState): boolean {
  if (token.isRugged !== other.isRugged) return token.isRugged
  return token.lastTradeAtMs < other.lastTradeAtMs
}
