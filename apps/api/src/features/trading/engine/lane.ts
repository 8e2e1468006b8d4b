import type { TokenId, UserId } from '../../../ids.ts'
import type { Order } from '../../../orders.ts'
import type { BatchRunner } from './batch-runner.ts'
import type { Ticket } from './ticket.ts'

/** Writes one batch at a time, over a connection of its own, and knows what that batch locks. */
export class Lane {
  /** Writes batch after batch; null while there is nothing for it. */
  working: Promise<void> | null = null
  readonly #runner: BatchRunner
  readonly #players = new Set<UserId>()
  readonly #tokens = new Set<TokenId>()

  constructor(runner: BatchRunner) {
    this.#runner = runner
  }

  get isWriting(): boolean {
    return this.#players.size > 0
  }

  /** Whether the batch under way locks what this order needs. */
  holds(order: Order): boolean {
    return this.#players.has(order.userId) || (order.kind !== 'launch' && this.#tokens.has(order.tokenId))
  }

  get isConnected(): boolean {
    return this.#runner.isConnected
  }

  /** Sees to a connection for the next batch. Never rejects; false where there is none to be had. */
  connect(): Promise<boolean> {
    return this.#runner.connect()
  }

  /** Never rejects: each ticket gets its answer. */
  async write(tickets: readonly Ticket[]): Promise<void> {
    for (const { order } of tickets) {
      this.#players.add(order.userId)
      if (order.kind !== 'launch') this.#tokens.add(order.tokenId)
    }
    try {
      await this.#runner.run(tickets)
    } finally {
      this.#players.clear()
      this.#tokens.clear()
    }
  }

  async close(): Promise<void> {
    await this.#runner.close()
  }
}
