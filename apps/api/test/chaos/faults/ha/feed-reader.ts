import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Trade } from '@papermoon/engine'
import { WebSocket } from 'ws'

interface FeedEvent {
  readonly type: string
  readonly tokenId: number
  readonly seq: number
  readonly trade?: Trade
}

/** Reads a node's `/ws` for some tokens, and forgets nothing. */
export class FeedReader {
  readonly #socket: WebSocket
  /** By token, in the order of arrival. */
  readonly #events = new Map<number, FeedEvent[]>()
  #failure: unknown = null

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.#take(JSON.parse(String(data)) as FeedEvent))
    socket.on('close', () => {
      this.#failure ??= new Error('the feed was closed')
    })
  }

  static async open(url: string, tokens: readonly number[]): Promise<FeedReader> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?tokens=${tokens.join(',')}`)
    await once(socket, 'open')
    return new FeedReader(socket)
  }

  /** Whether it has had every one of these trades. */
  hasAll(trades: readonly Trade[]): boolean {
    return trades.every(({ tokenId, seq }) => this.#events.get(tokenId)?.some((event) => event.seq === seq))
  }

  /**
   * Throws unless each token's events came one after another without a gap or repeat, and are exactly these trades: none
   * was shown that does not exist.
   */
  assertShowed(trades: readonly Trade[]): void {
    if (this.#failure !== null) throw this.#failure
    const byPlace = new Map(trades.map((trade) => [`${trade.tokenId} ${trade.seq}`, trade]))
    let shown = 0
    for (const [tokenId, events] of this.#events) {
      for (const [place, event] of events.entries()) {
        const before = events[place - 1]
        if (before !== undefined) assert.equal(event.seq, before.seq + 1, `the feed of token ${tokenId} has a gap`)
        if (event.trade === undefined) continue
        const trade = byPlace.get(`${tokenId} ${event.seq}`)
        assert(trade !== undefined, `trade ${event.seq} of token ${tokenId} was shown and is gone`)
        assert.equal(event.trade.id, trade.id, `another trade ${event.seq} of token ${tokenId} was shown`)
        shown++
      }
    }
    assert.equal(shown, trades.length, 'the feed lacks trades')
  }

  close(): void {
    this.#failure ??= 'closed'
    this.#socket.terminate()
  }

  #take(event: FeedEvent): void {
    if (event.seq === undefined) return // Not an event of a token.
    const events = this.#events.get(event.tokenId)
    if (events === undefined) this.#events.set(event.tokenId, [event])
    else events.push(event)
  }
}
