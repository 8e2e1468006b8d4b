import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { FollowedEvent } from '../support/follow-token.ts'
import type { FeedSeen } from './judge.ts'

const RETRY_MS = 100
const LAST_EVENT_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 50

interface StreamMessage {
  readonly type: string
  readonly tokenId?: number
  readonly seq?: number
  readonly trade?: { readonly id: number }
  readonly cursor?: string
}

/** A program that listens to `/ws`, and resumes after its last cursor whenever its server goes. */
export class MarketListener {
  readonly #urls: () => readonly string[]
  readonly #byToken = new Map<number, FollowedEvent[]>()
  readonly #begun = Promise.withResolvers<void>()
  #after: ReadonlyMap<number, number> = new Map()
  #socket: WebSocket | null = null
  #cursor = ''
  #isStopped = false
  /** Times that it resumed. */
  resumed = -1

  private constructor(urls: () => readonly string[]) {
    this.#urls = urls
    this.#open()
  }

  /** Resolves once it could resume. `readSeqs`: the last sequence number of each token; what follows it must be shown. */
  static async start(
    urls: () => readonly string[],
    readSeqs: () => Promise<ReadonlyMap<number, number>>,
  ): Promise<MarketListener> {
    const listener = new MarketListener(urls)
    await listener.#begun.promise
    listener.#after = await readSeqs()
    return listener
  }

  /** Waits for the events with these sequence numbers, but not for ever, then ends. */
  async stopAt(last: ReadonlyMap<number, number>): Promise<readonly FeedSeen[]> {
    const giveUpMs = performance.now() + LAST_EVENT_WITHIN_MS
    const hasAll = () => [...last].every(([tokenId, seq]) => (this.#byToken.get(tokenId)?.at(-1)?.seq ?? 0) >= seq)
    while (!hasAll() && performance.now() < giveUpMs) await sleep(LOOK_EVERY_MS)
    this.close()
    return [...last.keys()].map((tokenId) => ({
      kind: 'program',
      tokenId,
      after: this.#after.get(tokenId) ?? 0,
      events: this.#byToken.get(tokenId) ?? [],
    }))
  }

  close(): void {
    this.#isStopped = true
    this.#socket?.terminate()
  }

  #open(): void {
    const query = this.#cursor === '' ? '' : `?after=${encodeURIComponent(this.#cursor)}`
    const socket = new WebSocket(`${this.#urls().at(-1)?.replace('http', 'ws')}/ws${query}`)
    this.#socket = socket
    socket.on('open', () => this.resumed++)
    socket.on('message', (data) => this.#take(JSON.parse(String(data)) as StreamMessage))
    // A `close` follows.
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!this.#isStopped) setTimeout(() => this.#isStopped || this.#open(), RETRY_MS)
    })
  }

  #take({ tokenId, seq, trade, cursor }: StreamMessage): void {
    if (cursor !== undefined) {
      this.#cursor = cursor
      this.#begun.resolve()
    }
    if (tokenId === undefined || seq === undefined || seq === 0) return
    const events = this.#byToken.get(tokenId) ?? []
    this.#byToken.set(tokenId, events)
    events.push({ seq, tradeId: trade?.id ?? null })
  }
}
