import { Decimal, LAUNCH_FEE, launchPool, type Pool, quoteBuy, quoteSell, type Sol, type Tokens } from '@papermoon/amm'
import { createRandom, type Random } from '@papermoon/bots'
import { FairLedger } from '../../src/features/fairs/ledger.ts'
import { bellMoment } from '../../src/features/fairs/schedule.ts'

export const STAKE_SOL = 100
const FAIR_MS = 15 * 60_000
const BELL_WINDOW_S = 60
const RIVALS = 8
const RIVAL_TOKENS = 5
/** How often a rival trades in ms, and which part of the balance it uses. */
const RIVAL_EVERY_MS = 20_000
const RIVAL_PART = 0.2
const UNITS = 1_000_000_000
const TOKEN_UNITS = 1_000_000

/** A trick that several accounts play together. It yields ms to wait, and the first account should win. */
export interface FairTrick {
  readonly name: string
  play(fair: PlayedFair): Generator<number, void, void>
}

/** What the first account has at the end minus its stake, in SOL. */
export interface FairEarned {
  readonly score: number
  readonly standing: number
}

interface Token {
  pool: Pool
  seq: number
  readonly bags: Map<number, Tokens>
}

/** A fair among random traders, by the engine's rules and with the real score. */
export class PlayedFair {
  readonly random: Random
  /** The account that should win, and its helpers. */
  readonly accounts: readonly number[]
  readonly endsMs = FAIR_MS
  readonly #bellMs: number
  readonly #ledger = new FairLedger()
  readonly #tokens: Token[] = []
  readonly #balances = new Map<number, Sol>()
  nowMs = 0

  constructor(seed: number, helpers: number, isBellKnown: boolean) {
    this.random = createRandom(`fair ${seed}`)
    const secret = Buffer.from(`bell ${seed}`)
    this.#bellMs = isBellKnown ? FAIR_MS : bellMoment(secret, new Date(FAIR_MS), BELL_WINDOW_S).getTime()
    this.accounts = Array.from({ length: 1 + helpers }, (_, index) => RIVALS + index)
    for (let id = 0; id < RIVALS + this.accounts.length; id++) this.#balances.set(id, new Decimal(STAKE_SOL))
    for (let n = 0; n < RIVAL_TOKENS; n++) this.launch(n)
  }

  get isOver(): boolean {
    return this.nowMs >= this.#bellMs
  }

  balance(account: number): Sol {
    return this.#balances.get(account) ?? new Decimal(0)
  }

  /** Returns the token whose pool holds the most SOL. */
  findLargest(): number {
    const sol = this.#tokens.map(({ pool }) => pool.sol.toNumber())
    return sol.indexOf(Math.max(...sol))
  }

  launch(account: number): number {
    this.#add(account, LAUNCH_FEE.neg())
    return this.#tokens.push({ pool: launchPool(), seq: 0, bags: new Map() }) - 1
  }

  /** Buys for a part of the balance. */
  buy(account: number, tokenId: number, part = 1): void {
    const token = this.#tokens[tokenId] as Token
    const sol = this.balance(account).mul(part).toDecimalPlaces(9)
    if (this.isOver || sol.lt('0.001')) return
    const { pool, solIn, fee, tokensOut } = quoteBuy(token.pool, sol)
    token.pool = pool
    this.#add(account, solIn.neg())
    token.bags.set(account, (token.bags.get(account) ?? new Decimal(0)).add(tokensOut))
    this.#record('buy', { account, tokenId, sol: solIn, fee, tokens: tokensOut })
  }

  /** Sells a part of the holding. */
  sell(account: number, tokenId: number, part = 1): void {
    const token = this.#tokens[tokenId] as Token
    const bag = token.bags.get(account) ?? new Decimal(0)
    const amount = bag.mul(part).toDecimalPlaces(6)
    if (this.isOver || amount.lt(1)) return
    const { pool, solOut, fee } = quoteSell(token.pool, amount)
    token.pool = pool
    this.#add(account, solOut)
    token.bags.set(account, bag.sub(amount))
    this.#record('sell', { account, tokenId, sol: solOut, fee, tokens: amount })
  }

  /** Lets a random rival buy for up to a part of the balance, or sell. */
  tradeRival(): void {
    const rival = this.random.int(RIVALS)
    const tokenId = this.random.int(1 + this.random.int(this.#tokens.length))
    const has = (this.#tokens[tokenId]?.bags.get(rival) ?? new Decimal(0)).gt(1)
    if (has && this.random.chance(0.55)) this.sell(rival, tokenId, this.random.chance(0.6) ? 1 : 0.5)
    else this.buy(rival, tokenId, RIVAL_PART * this.random.next())
  }

  settle(): FairEarned {
    const settled = this.#ledger.settle()
    const [winner = 0] = this.accounts
    const share = this.#tokens.reduce((sum, { pool, bags }) => {
      const all = [...bags.values()].reduce((held, bag) => held + bag.toNumber(), 0)
      const real = pool.sol.sub(pool.virtualSol).toNumber()
      return all > 0 ? sum + (real * (bags.get(winner)?.toNumber() ?? 0)) / all : sum
    }, 0)
    const standing = this.balance(winner).toNumber() + share - STAKE_SOL
    const excess = settled.findExcess(BigInt((STAKE_SOL * UNITS) / 10)).get(winner) ?? 0n
    return { standing, score: standing - Number(excess) / UNITS }
  }

  #add(account: number, sol: Sol): void {
    this.#balances.set(account, this.balance(account).add(sol))
  }

  #record(
    side: 'buy' | 'sell',
    { account, tokenId, sol, fee, tokens }: { account: number; tokenId: number; sol: Sol; fee: Sol; tokens: Tokens },
  ): void {
    const token = this.#tokens[tokenId] as Token
    const seq = ++token.seq
    const units = (amount: Decimal, per: number) => BigInt(amount.mul(per).toFixed(0))
    const figures = { sol: units(sol, UNITS), fee: units(fee, UNITS), tokens: units(tokens, TOKEN_UNITS) }
    this.#ledger.addTrade({ tokenId, seq, userId: account, side, ...figures })
  }
}

/** Plays one fair. The same trick and seed give the same result. */
export function playFair(
  trick: FairTrick,
  { seed, helpers, isBellKnown }: { readonly seed: number; readonly helpers: number; readonly isBellKnown: boolean },
): FairEarned {
  const fair = new PlayedFair(seed, helpers, isBellKnown)
  const steps = trick.play(fair)
  let nextMs = 0
  let rivalMs = 0
  while (!fair.isOver) {
    fair.nowMs = Math.min(nextMs, rivalMs)
    if (fair.nowMs === rivalMs) {
      fair.tradeRival()
      rivalMs += (RIVAL_EVERY_MS / RIVALS) * (0.5 + fair.random.next())
    } else nextMs += steps.next().value ?? Number.POSITIVE_INFINITY
  }
  return fair.settle()
}
