import type { BotOrder } from '@papermoon/bots'
import type { PapermoonClient } from '@papermoon/client'
import type { Failure } from '../lib/failure.ts'
import { type Account, readAccount, withPosition } from './account.ts'
import { computeOrderKey } from './order-key.ts'
import { type OrderOutcome, type SendOptions, sendOrder } from './send-order.ts'

/** Change made by an order: the last event that it caused. */
export interface Fill {
  readonly tokenId: number
  /** Null for a rug pull, whose answer has no number. */
  readonly seq: number | null
}

/** Refusals that show that the account is not what was thought. */
const SURPRISES: ReadonlySet<string> = new Set(['INSUFFICIENT_BALANCE', 'INSUFFICIENT_TOKENS', 'REQUEST_KEY_REUSED'])

/** One player, who places one order at a time and each at most once. */
export class Trader {
  readonly name: string
  readonly client: PapermoonClient
  #account: Account
  /** Whether the account must be read before the next order. */
  #isStale = false
  /** Counts up when two states of the account are equal, so that their keys differ. */
  #turn = 0

  private constructor(name: string, client: PapermoonClient, account: Account) {
    this.name = name
    this.client = client
    this.#account = account
  }

  /** Reads the player's account. Rejects if the server is away or refuses the key. */
  static async open(name: string, client: PapermoonClient, signal: AbortSignal): Promise<Trader> {
    return new Trader(name, client, await readAccount(client, signal))
  }

  get account(): Account {
    return this.#account
  }

  /** Says that the account changed otherwise: by a grant, or by an order of another process. */
  markStale(): void {
    this.#isStale = true
  }

  async refresh(signal: AbortSignal): Promise<void> {
    this.#account = await readAccount(this.client, signal)
    this.#isStale = false
  }

  /** Places an order and waits until its outcome is known. Rejects only if the account cannot be read before. */
  async place(order: BotOrder, options: SendOptions): Promise<OrderOutcome<Fill>> {
    if (this.#isStale) await this.refresh(options.signal)
    const key = order.kind === 'rug' ? `rug-${order.tokenId}` : computeOrderKey(this.#account, this.#turn)
    const outcome = await sendOrder((signal) => this.#send(order, key, signal), options)
    if (outcome.kind === 'done') this.#turn = 0
    else if (outcome.kind === 'unknown') this.#isStale = true
    else await this.#learn(outcome.failure, options.signal)
    return outcome
  }

  /** After a surprise the account is read again. If it is the same as before, the next key must differ all the same. */
  async #learn({ reason }: Failure, signal: AbortSignal): Promise<void> {
    if (reason === null || !SURPRISES.has(reason)) return
    const before = computeOrderKey(this.#account, 0)
    this.#isStale = true
    await this.refresh(signal).catch(() => {})
    const isSame = !this.#isStale && computeOrderKey(this.#account, 0) === before
    this.#turn = isSame && reason === 'REQUEST_KEY_REUSED' ? this.#turn + 1 : 0
  }

  async #send(order: BotOrder, requestId: string, signal: AbortSignal): Promise<Fill> {
    const { trading, tokens } = this.client.api
    if (order.kind === 'rug') {
      const { balance } = await trading.rug.mutate({ id: order.tokenId, requestId }, { signal })
      this.#account = { ...this.#account, balance }
      return { tokenId: order.tokenId, seq: null }
    }
    if (order.kind === 'launch') {
      const { initialBuy } = order
      const { name, symbol, emoji, description } = order.story
      const first = initialBuy > 0 ? { initialBuyAmount: toSolText(initialBuy) } : {}
      const texts = { name, symbol, emoji, description }
      const { id, token } = await tokens.launch.mutate({ ...texts, ...first, requestId }, { signal })
      this.#isStale = true
      return { tokenId: id, seq: initialBuy > 0 ? Math.min(1, token.seq) : 0 }
    }
    const { tokenId } = order
    const { trade, position } =
      order.kind === 'buy'
        ? await trading.buy.mutate(
            {
              tokenId,
              solAmount: toSolText(order.sol),
              ...(order.minTokensOut > 0 && { minTokensOut: toTokensText(order.minTokensOut) }),
              requestId,
            },
            { signal },
          )
        : await trading.sell.mutate(
            {
              tokenId,
              tokenAmount: toTokensText(order.tokens),
              ...(order.minSolOut > 0 && { minSolOut: toSolText(order.minSolOut) }),
              requestId,
            },
            { signal },
          )
    this.#account = withPosition(this.#account, position)
    return { tokenId, seq: trade.seq }
  }
}

/** Amounts of orders have no more decimals than their unit, so these texts are exact. */
const toSolText = (sol: number) => sol.toFixed(9)
const toTokensText = (tokens: number) => tokens.toFixed(6)
