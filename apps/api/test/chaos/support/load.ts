import { setTimeout as sleep } from 'node:timers/promises'
import type { Trade } from '@papermoon/engine'
import type { Answer, RestOrder, RestPlayer, TradeAnswer } from './rest-player.ts'

/** Pause before a retry, in ms; shorter than `Retry-After` to be harsher than real clients. */
const AGAIN_AFTER_MS = 40
/** How long an order is repeated without a response before it counts as lost. */
const GIVE_UP_MS = 90_000

/** An order that the server acknowledged. */
export interface Acknowledged {
  readonly player: RestPlayer
  readonly order: RestOrder
  readonly key: string
  readonly trade: Trade
  /** True if at least one response to the order was lost or was a 503. */
  readonly wasInterrupted: boolean
}

/** Players who trade without a pause, and repeat each order with its key until it gets a response. */
export interface Load {
  readonly acknowledged: readonly Acknowledged[]
  /** The responses with 503 so far. */
  readonly unavailable: readonly Answer[]
  /** Number of orders sent to a server that have no response yet. */
  countInFlight(url: string): number
  /** Resolves once this many orders are acknowledged. Rejects if a player fails. */
  until(count: number): Promise<void>
  /** Lets every player finish its pending order. */
  stop(): Promise<void>
}

export interface LoadPlan {
  readonly players: readonly RestPlayer[]
  readonly tokens: readonly number[]
  /** Concurrent orders of each player. */
  readonly lanes: number
  /** Servers with the same database, used in turn, also for repeats. By default, each player's own server. */
  readonly urls?: () => readonly string[]
  /** Called with the status of each response of a server, or with null if the connection was refused or lost. */
  readonly onAnswer?: (url: string | undefined, status: number | null) => void
  /** True if a proxy answers for its servers. Its 502 and 504 count as a lost connection. */
  readonly isProxied?: boolean
}

/** An order, its player and its server. */
interface Placing {
  readonly player: RestPlayer
  readonly order: RestOrder
  readonly key: string
  readonly isProxied?: boolean | undefined
  /** Returns the server for a try; undefined is the player's own server. */
  at(tries: number): string | undefined
  /**
   * Called before each try. Returns a function to call with the status of the response, or with null without a
   * response.
   */
  begin?(url: string | undefined): (status: number | null) => void
}

export function startLoad(plan: LoadPlan): Load {
  const acknowledged: Acknowledged[] = []
  const unavailable: Answer[] = []
  const waiting = new Set<() => void>()
  const inFlight = new Map<string | undefined, number>()
  let isStopping = false
  const begin = (url: string | undefined) => {
    inFlight.set(url, (inFlight.get(url) ?? 0) + 1)
    return (status: number | null) => {
      inFlight.set(url, (inFlight.get(url) ?? 0) - 1)
      plan.onAnswer?.(url, status)
    }
  }

  const lane = async (player: RestPlayer, number: number): Promise<void> => {
    let bought: Trade | null = null
    for (let turn = 0; !isStopping; turn++) {
      const tokenId = plan.tokens[(player.id + number + turn) % plan.tokens.length] ?? 0
      const order: RestOrder = bought === null ? { tokenId, solAmount: `0.0${1 + (turn % 9)}` } : chooseSell(bought)
      const at = (tries: number) => {
        const urls = plan.urls?.() ?? []
        return urls[(number + turn + tries) % urls.length]
      }
      const placing = { player, order, key: `${player.id}-${number}-${turn}`, at, begin, isProxied: plan.isProxied }
      const { done } = await repeatUntilAnswered(placing, unavailable)
      acknowledged.push(done)
      bought = bought === null ? done.trade : null
      for (const check of waiting) check()
    }
  }
  const lanes = plan.players.flatMap((player) =>
    Array.from({ length: plan.lanes }, (_, number) => lane(player, number)),
  )
  const failure = Promise.all(lanes)
  failure.catch(() => {}) // Callers that await `failure` get the rejection; without them, it must not be an unhandled one.
  return {
    acknowledged,
    unavailable,
    countInFlight: (url) => inFlight.get(url) ?? 0,
    until: (count) => {
      const reached = new Promise<void>((resolve) => {
        waiting.add(() => acknowledged.length >= count && resolve())
      })
      return Promise.race([reached, failure.then(() => {})])
    },
    stop: async () => {
      isStopping = true
      await failure
    },
  }
}

/**
 * Returns an order that sells every third buy completely, so that holdings are emptied too. Of other buys, it sells
 * whole tokens only.
 */
function chooseSell({ tokenId, tokenAmount, seq }: Trade): RestOrder {
  return { tokenId, tokenAmount: seq % 3 === 0 ? tokenAmount : (tokenAmount.split('.')[0] ?? tokenAmount) }
}

/** Repeats an order with its key until it gets 200. Throws after `GIVE_UP_MS`, or for an unexpected status. */
export async function repeatUntilAnswered(
  placing: Placing,
  unavailable: Answer[],
): Promise<{ readonly done: Acknowledged; readonly answer: Answer }> {
  const { player, order, key, isProxied = false } = placing
  const giveUpAt = Date.now() + GIVE_UP_MS
  for (let tries = 0; Date.now() < giveUpAt; tries++) {
    const answer = await answerOrNull(placing, tries)
    if (answer?.status === 200) {
      const { trade } = answer.body as TradeAnswer
      return { done: { player, order, key, trade, wasInterrupted: tries > 0 }, answer }
    }
    if (answer?.status === 503) unavailable.push(answer)
    else if (answer !== null && !(isProxied && isOfProxy(answer))) {
      throw new Error(`order ${key} got ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
    await sleep(AGAIN_AFTER_MS)
  }
  throw new Error(`order ${key} was never answered`)
}

function isOfProxy({ status }: Answer): boolean {
  return status === 502 || status === 504
}

/**
 * Returns the response, or null if the connection was refused or lost. Rejects if the server does not respond in time.
 */
async function answerOrNull({ player, order, key, at, begin }: Placing, tries: number): Promise<Answer | null> {
  const url = at(tries)
  const end = begin?.(url)
  try {
    const answer = await player.order(order, key, url)
    end?.(answer.status)
    return answer
  } catch (error) {
    end?.(null)
    if (error instanceof Error && error.name === 'TimeoutError') throw new Error(`order ${key} hangs`, { cause: error })
    return null
  }
}
