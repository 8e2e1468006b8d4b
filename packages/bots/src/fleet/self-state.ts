import type { LaunchEvent, RugEvent, TradeEvent } from '../market/events.ts'
import { LAUNCH_COST } from '../market/figures.ts'
import type { BagView, SelfView } from '../market/views.ts'

type Bag = { -readonly [Key in keyof BagView]: BagView[Key] }

/** A bot's balance and holdings, computed from the events of its own orders. */
export class SelfState implements SelfView {
  readonly id: number
  balance: number
  readonly bags = new Map<number, Bag>()
  readonly createdTokens: number[] = []
  lastLaunchAtMs = Number.NEGATIVE_INFINITY
  /** Whether the bot is waiting for the result of an order. */
  isWaiting = false

  constructor(id: number, balance: number) {
    this.id = id
    this.balance = balance
  }

  applyLaunch({ tokenId, atMs }: LaunchEvent): void {
    this.balance -= LAUNCH_COST
    this.createdTokens.push(tokenId)
    this.lastLaunchAtMs = atMs
  }

  applyTrade(trade: TradeEvent): void {
    if (trade.side === 'buy') this.#applyBuy(trade)
    else this.#applySell(trade)
  }

  applyRug({ tokenId, sol }: RugEvent): void {
    this.balance += sol
    const index = this.createdTokens.indexOf(tokenId)
    if (index >= 0) this.createdTokens.splice(index, 1)
  }

  #applyBuy({ tokenId, sol, holding, atMs }: TradeEvent): void {
    this.balance -= sol
    const bag = this.bags.get(tokenId)
    if (bag === undefined) {
      this.bags.set(tokenId, { tokenId, amount: holding, cost: sol, boughtAtMs: atMs })
      return
    }
    bag.amount = holding
    bag.cost += sol
  }

  #applySell({ tokenId, sol, tokens, holding }: TradeEvent): void {
    this.balance += sol
    const bag = this.bags.get(tokenId)
    if (bag === undefined) return
    if (holding <= 0) {
      this.bags.delete(tokenId)
      return
    }
    bag.cost *= holding / (holding + tokens)
    bag.amount = holding
  }
}
