import assert from 'node:assert/strict'

/** A trade in a fair, in integer units of 0.000000001 SOL and 0.000001 tokens. */
export interface LedgerTrade {
  readonly tokenId: number
  readonly seq: number
  readonly userId: number
  readonly side: 'buy' | 'sell'
  /** SOL that the player paid including the fee, or received after the fee. */
  readonly sol: bigint
  readonly fee: bigint
  readonly tokens: bigint
}

interface TokenBook {
  seq: number
  /**
   * SOL in the pool, in layers by player. The latest payment is the last layer. A sale takes the SOL of the last layers
   * first.
   */
  readonly layers: { readonly userId: number; sol: bigint }[]
  /** The SOL in the pool, added up by player. */
  readonly left: Map<number, bigint>
  /** SOL that each player paid into the pool, minus SOL that the player took out, without fees. */
  readonly paid: Map<number, bigint>
  readonly bags: Map<number, bigint>
}

/**
 * Records whose SOL each player won in a fair. On the price curve, a sale takes exactly the SOL that the last buyers
 * paid in. A rug pull takes all SOL. The remaining SOL belongs to the holders, in proportion to their holdings. Without
 * fees, each player's gain therefore equals what others lost.
 */
export class FairLedger {
  readonly #tokens = new Map<number, TokenBook>()
  /**
   * For each player, the SOL that the player took from each other player, minus the SOL that the other player took
   * back.
   */
  readonly #taken = new Map<number, Map<number, bigint>>()

  /** Returns the sequence number of the last entry added for a token; 0 if there is none. */
  seqOf(tokenId: number): number {
    return this.#tokens.get(tokenId)?.seq ?? 0
  }

  /** Adds a trade. Call `add` for the trades of a token in the order of their sequence numbers. */
  addTrade({ tokenId, seq, userId, side, sol, fee, tokens }: LedgerTrade): void {
    const token = this.#open(tokenId, seq)
    const isBuy = side === 'buy'
    addTo(token.bags, userId, isBuy ? tokens : -tokens)
    if (isBuy) put(token, userId, sol - fee)
    else this.#take(token, userId, sol + fee)
  }

  addRug(tokenId: number, seq: number, userId: number): void {
    const token = this.#open(tokenId, seq)
    this.#take(token, userId, sum(token.left.values()))
    token.bags.clear()
  }

  /** Computes the results as if all players got their pool shares now. */
  settle(): SettledFair {
    return new SettledFair(this.#tokens, this.#taken)
  }

  #open(tokenId: number, seq: number): TokenBook {
    let token = this.#tokens.get(tokenId)
    if (token === undefined) {
      token = { seq: 0, layers: [], left: new Map(), paid: new Map(), bags: new Map() }
      this.#tokens.set(tokenId, token)
    }
    assert(seq === token.seq + 1, 'entries of a token have no gap')
    token.seq = seq
    return token
  }

  #take({ layers, left, paid }: TokenBook, userId: number, sol: bigint): void {
    paid.set(userId, (paid.get(userId) ?? 0n) - sol)
    for (let due = sol; due > 0n; ) {
      const top = layers.at(-1)
      assert(top !== undefined, 'a pool pays no more than was paid in')
      const part = least(top.sol, due)
      due -= part
      top.sol -= part
      if (top.sol === 0n) layers.pop()
      addTo(left, top.userId, -part)
      if (top.userId === userId) continue
      addTo(mapOf(this.#taken, userId), top.userId, part)
      addTo(mapOf(this.#taken, top.userId), userId, -part)
    }
  }
}

function put({ layers, left, paid }: TokenBook, userId: number, sol: bigint): void {
  paid.set(userId, (paid.get(userId) ?? 0n) + sol)
  addTo(left, userId, sol)
  const top = layers.at(-1)
  if (top?.userId === userId) top.sol += sol
  else layers.push({ userId, sol })
}

interface SettledPool {
  readonly real: bigint
  readonly left: ReadonlyMap<number, bigint>
  readonly paid: ReadonlyMap<number, bigint>
  readonly shares: ReadonlyMap<number, bigint>
}

/**
 * Max error of the estimate with floats, in units of SOL. If an amount could matter despite this error, it is computed
 * exactly.
 */
const SLACK = 1_000
/**
 * Divisor for indirect gifts between players. A tenth of the SOL taken from a player may also count as a gift, because
 * that player may have paid through third players.
 */
const INDIRECT_PART = 10

/** The part of a player's gain that does not count for the score, in units of 0.000000001 SOL. */
export interface Excess {
  readonly sol: bigint
  /** The player who lost most of it. */
  readonly from: number
}

/** The results of a fair if all players got their pool shares now. All amounts are in units of 0.000000001 SOL. */
export class SettledFair {
  readonly #pools: ReadonlyMap<number, SettledPool>
  readonly #taken: ReadonlyMap<number, ReadonlyMap<number, bigint>>
  /** For each player, the pools of the tokens that the player traded. */
  readonly #poolsOf = new Map<number, SettledPool[]>()

  constructor(tokens: ReadonlyMap<number, TokenBook>, taken: ReadonlyMap<number, ReadonlyMap<number, bigint>>) {
    this.#taken = taken
    this.#pools = new Map([...tokens].map(([tokenId, token]) => [tokenId, toSettledPool(token)]))
    for (const pool of this.#pools.values()) {
      for (const userId of pool.paid.keys()) {
        const pools = this.#poolsOf.get(userId)
        if (pools === undefined) this.#poolsOf.set(userId, [pool])
        else pools.push(pool)
      }
    }
  }

  /** Returns the SOL that a player won with a token, without fees. */
  wonWith(userId: number, tokenId: number): bigint {
    const pool = this.#pools.get(tokenId)
    return pool === undefined ? 0n : wonIn(pool, userId)
  }

  /** Returns the SOL that a player won with all tokens, without fees. */
  wonBy(userId: number): bigint {
    return sum((this.#poolsOf.get(userId) ?? []).map((pool) => wonIn(pool, userId)))
  }

  /**
   * Returns the SOL that a player took from another player, minus the SOL that the other player took back. The sum over
   * all other players equals the SOL that the player won.
   */
  takenFrom(userId: number, other: number): bigint {
    let taken = this.#taken.get(userId)?.get(other) ?? 0n
    for (const { real, left, shares } of this.#poolsOf.get(userId) ?? []) {
      if (real === 0n) continue
      taken += ((shares.get(userId) ?? 0n) * (left.get(other) ?? 0n)) / real
      taken -= ((shares.get(other) ?? 0n) * (left.get(userId) ?? 0n)) / real
    }
    return taken
  }

  /**
   * Returns how much of a player's gain came from another player's losses: the SOL taken from that player plus up to a
   * tenth, but at most that player's losses with the tokens of the gain. The tenth is for buyers who buy after a
   * holder, because a later buyer pays the next sellers, who would otherwise have taken the holder's SOL.
   */
  wonFrom(userId: number, other: number): bigint {
    let lost = 0n
    for (const pool of this.#poolsOf.get(userId) ?? []) {
      const [mine, theirs] = [wonIn(pool, userId), wonIn(pool, other)]
      if (mine > 0n && theirs < 0n) lost += least(mine, -theirs)
      if (mine < 0n && theirs > 0n) lost -= least(-mine, theirs)
    }
    return least(lost, withIndirect(this.takenFrom(userId, other)))
  }

  /**
   * For each player, adds up the losses of each other player to this player that exceed `allowance`. Players in
   * `exempt` may lose more.
   */
  findExcess(allowance: bigint, exempt: readonly number[]): Map<number, Excess> {
    // A loser gives at most their losses, and a winner gets at most their gain. Skip all pairs without such losses.
    const players = [...this.#poolsOf.keys()]
    const winners = players.filter((userId) => this.#sumWon(userId, 1n) > allowance)
    const losers = players.filter((userId) => !exempt.includes(userId) && this.#sumWon(userId, -1n) > allowance)
    const estimate = this.#estimate(losers)
    const floor = (Number(allowance) - SLACK) / (1 + 1 / INDIRECT_PART)
    const excess = new Map<number, Excess>()
    for (const userId of winners) {
      const taken = estimate(userId)
      let [sol, most, mostFrom] = [0n, 0n, userId]
      for (const [at, from] of losers.entries()) {
        if (from === userId || (taken[at] as number) <= floor) continue
        const more = this.wonFrom(userId, from) - allowance
        if (more <= 0n) continue
        sol += more
        if (more > most) [most, mostFrom] = [more, from]
      }
      if (sol > 0n) excess.set(userId, { sol, from: mostFrom })
    }
    return excess
  }

  /**
   * Adds up the player's gains over all tokens with which the player gained. With the sign -1, adds up the player's
   * losses.
   */
  #sumWon(userId: number, sign: bigint): bigint {
    let all = 0n
    for (const pool of this.#poolsOf.get(userId) ?? []) {
      const won = wonIn(pool, userId) * sign
      if (won > 0n) all += won
    }
    return all
  }

  /**
   * Estimates with floats how much SOL a player took from each of `others`, because 500 players and 100 tokens have a
   * million such amounts.
   */
  #estimate(others: readonly number[]): (userId: number) => Float64Array {
    const index = new Map(others.map((userId, at) => [userId, at]))
    const toParts = (amounts: ReadonlyMap<number, bigint>, whole: number) => {
      const parts: Part[] = []
      for (const [userId, sol] of amounts) {
        const at = index.get(userId)
        if (at !== undefined) parts.push({ at, part: Number(sol) / whole })
      }
      return parts
    }
    const partsOf = new Map(
      [...this.#pools.values()].map((pool) => [
        pool,
        { left: toParts(pool.left, 1), shares: toParts(pool.shares, Number(pool.real)) },
      ]),
    )
    const row = new Float64Array(others.length)
    const add = (parts: readonly Part[], times: number) => {
      for (const { at, part } of parts) row[at] = (row[at] as number) + part * times
    }
    return (userId) => {
      row.fill(0)
      add(toParts(this.#taken.get(userId) ?? new Map(), 1), 1)
      for (const pool of this.#poolsOf.get(userId) ?? []) {
        if (pool.shares.size === 0) continue
        const { left = [], shares = [] } = partsOf.get(pool) ?? {}
        add(left, Number(pool.shares.get(userId) ?? 0n) / Number(pool.real))
        add(shares, -Number(pool.left.get(userId) ?? 0n))
      }
      return row
    }
  }
}

interface Part {
  readonly at: number
  readonly part: number
}

function toSettledPool({ left, paid, bags }: TokenBook): SettledPool {
  const [real, all] = [sum(left.values()), sum(bags.values())]
  const shares = new Map<number, bigint>()
  if (real > 0n) for (const [userId, bag] of bags) shares.set(userId, (real * bag) / all)
  return { real, left, paid, shares }
}

function wonIn({ shares, paid }: SettledPool, userId: number): bigint {
  return (shares.get(userId) ?? 0n) - (paid.get(userId) ?? 0n)
}

/** Adds the indirect part of a gift, rounded towards zero. */
const withIndirect = (taken: bigint): bigint => taken + taken / BigInt(INDIRECT_PART)

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

function sum(amounts: Iterable<bigint>): bigint {
  let all = 0n
  for (const amount of amounts) all += amount
  return all
}

/** Adds an amount to a map's entry. Removes the entry if it becomes zero. */
function addTo(amounts: Map<number, bigint>, key: number, amount: bigint): void {
  const after = (amounts.get(key) ?? 0n) + amount
  if (after === 0n) amounts.delete(key)
  else amounts.set(key, after)
}

function mapOf(maps: Map<number, Map<number, bigint>>, key: number): Map<number, bigint> {
  let found = maps.get(key)
  if (found === undefined) {
    found = new Map()
    maps.set(key, found)
  }
  return found
}
