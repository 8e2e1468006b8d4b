import type { PapermoonClient } from '@papermoon/client'
import PQueue from 'p-queue'
import { SERVER_BACKOFF, toPauseMs } from '../lib/backoff.ts'
import { toFailure } from '../lib/failure.ts'
import type { Log } from '../lib/log.ts'
import { pause } from '../lib/pause.ts'
import { readTokens } from './read-tokens.ts'
import { resumeToken } from './resume-token.ts'
import type { MarketEvent, Token } from './types.ts'

/** Tokens that are caught up with at a time. */
const CATCH_UPS_MAX = 4
/** Further behind, the token is read instead of its events. */
const EVENTS_BEHIND_MAX = 200
/** Tokens followed; beyond, those without an event for longest are forgotten. */
const TOKENS_MAX = 1_000

/** What follows the market. Its calls come in order: of each token first `onToken`, then every event once. */
export interface MarketListener {
  /** A token seen for the first time, or again after more events were missed than are worth resuming. */
  onToken(token: Token): void
  onEvent(event: MarketEvent): void
  /** The token is hidden now, or was forgotten. */
  onGone(tokenId: number): void
}

interface FeedOptions {
  readonly client: PapermoonClient
  readonly listener: MarketListener
  readonly log: Log
  readonly signal: AbortSignal
}

/**
 * One view of the whole market over one subscription. The subscription says what happens; sequence numbers say whether
 * something is missing: a token with a gap, or one that moved while the server was away, is resumed from its own feed
 * after the last number seen.
 */
export class MarketFeed {
  readonly #options: FeedOptions
  /** Last sequence number passed on, by token; in order of the last event. */
  readonly #seqs = new Map<number, number>()
  /** Highest sequence number known to exist, of tokens with a gap. */
  readonly #ends = new Map<number, number>()
  readonly #catchUps = new PQueue({ concurrency: CATCH_UPS_MAX })
  #rereading: Promise<void> | null = null

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** Resolves once every token was passed on; waits for a server that is away. Ends with the signal. */
  async start(): Promise<void> {
    const { client, signal } = this.#options
    await this.#subscribe()
    await this.#reread()
    const stop = client.connection.onChange(({ state }) => {
      if (state === 'live') void this.#reread()
    })
    signal.addEventListener('abort', () => {
      stop()
      this.#catchUps.clear()
    })
  }

  /** Whether everything that the server told so far was passed on, and the connection holds. */
  get isCurrent(): boolean {
    const isLive = this.#options.client.connection.current().state === 'live'
    return isLive && this.#rereading === null && this.#ends.size === 0
  }

  /** Whether the event with this number was passed on, or skipped. */
  hasSeen(tokenId: number, seq: number): boolean {
    return (this.#seqs.get(tokenId) ?? -1) >= seq
  }

  /** Forgets everything and passes on every token again, as `start` does. */
  async restart(): Promise<void> {
    this.#seqs.clear()
    await this.#rereading
    await this.#reread()
  }

  /** Follows this token as well, if it is not yet: one that a bot holds may be on no list. */
  async follow(tokenId: number): Promise<void> {
    if (!this.#seqs.has(tokenId)) await this.#untilDone(() => this.#readToken(tokenId))
  }

  /** Resolves when the subscription is confirmed: what happens from then on is received. */
  #subscribe(): Promise<void> {
    const { client, log, signal } = this.#options
    return new Promise((resolve) => {
      const subscription = client.api.live.market.subscribe(
        {},
        {
          onStarted: () => resolve(),
          onData: ({ data }) => this.#receive(data),
          onError: (error) => log.error('the market feed was refused', { reason: toFailure(error).message }),
        },
      )
      signal.addEventListener('abort', () => {
        subscription.unsubscribe()
        resolve()
      })
    })
  }

  #receive(event: MarketEvent): void {
    const { tokenId, seq } = event
    const known = this.#seqs.get(tokenId)
    const next = known === undefined ? 0 : known + 1
    if (seq > next || (known === undefined && event.type !== 'token_launched')) this.#catchUp(tokenId, seq)
    else if (seq === next) this.#passOn(event)
  }

  #passOn(event: MarketEvent): void {
    this.#seqs.delete(event.tokenId)
    this.#seqs.set(event.tokenId, event.seq)
    this.#options.listener.onEvent(event)
    this.#forgetOldest()
  }

  /** Reads all tokens again, once at a time: after a connection was lost, and for those that are unknown. */
  #reread(): Promise<void> {
    this.#rereading ??= this.#untilDone(async () => {
      for (const token of await readTokens(this.#options.client, this.#options.signal)) this.#compare(token)
    }).finally(() => {
      this.#rereading = null
    })
    return this.#rereading
  }

  #compare(token: Token): void {
    const known = this.#seqs.get(token.id)
    if (known === undefined) this.#jumpTo(token)
    else if (token.seq > known) this.#catchUp(token.id, token.seq)
  }

  #jumpTo(token: Token): void {
    this.#seqs.delete(token.id)
    this.#seqs.set(token.id, token.seq)
    this.#options.listener.onToken(token)
    this.#forgetOldest()
  }

  #catchUp(tokenId: number, end: number): void {
    const isUnderWay = this.#ends.has(tokenId)
    this.#ends.set(tokenId, Math.max(end, this.#ends.get(tokenId) ?? 0))
    if (isUnderWay) return
    void this.#catchUps
      .add(() => this.#untilDone(() => this.#closeGap(tokenId)))
      .finally(() => this.#ends.delete(tokenId))
  }

  /** Passes on the events between the last one seen and the last one known to exist. */
  async #closeGap(tokenId: number): Promise<void> {
    const { client, signal } = this.#options
    for (;;) {
      const end = this.#ends.get(tokenId) ?? 0
      const known = this.#seqs.get(tokenId)
      if (known !== undefined && known >= end) return
      if (known === undefined || end - known > EVENTS_BEHIND_MAX) {
        await this.#readToken(tokenId)
        if (!this.#seqs.has(tokenId)) return
        continue
      }
      const isDone = () => (this.#seqs.get(tokenId) ?? 0) >= (this.#ends.get(tokenId) ?? 0)
      await resumeToken(client, { tokenId, after: known, signal, isDone, onEvent: (event) => this.#receive(event) })
    }
  }

  async #readToken(tokenId: number): Promise<void> {
    const { client, signal } = this.#options
    const token = await client.api.tokens.get.query({ id: tokenId }, { signal }).catch((error) => {
      if (toFailure(error).reason === 'TOKEN_NOT_FOUND') return null
      throw error
    })
    if (token === null) this.#forget(tokenId)
    else if (token.seq >= (this.#seqs.get(tokenId) ?? 0)) this.#jumpTo(token)
  }

  #forgetOldest(): void {
    const [oldest] = this.#seqs.keys()
    if (this.#seqs.size > TOKENS_MAX && oldest !== undefined) this.#forget(oldest)
  }

  #forget(tokenId: number): void {
    this.#ends.delete(tokenId)
    if (this.#seqs.delete(tokenId)) this.#options.listener.onGone(tokenId)
  }

  /** Repeats `work` with growing pauses until it succeeds or the feed ends. */
  async #untilDone(work: () => Promise<void>): Promise<void> {
    const { log, signal } = this.#options
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) return
        const pauseMs = toPauseMs(SERVER_BACKOFF, attempt, Math.random())
        log.warn('the market could not be read', { reason: toFailure(error).message, pauseMs: Math.round(pauseMs) })
        await pause(pauseMs, signal)
      }
    }
  }
}
