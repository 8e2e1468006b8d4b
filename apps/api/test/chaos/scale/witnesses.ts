import assert from 'node:assert/strict'
import { type Acknowledged, chooseSell, repeatUntilAnswered } from '../support/load.ts'
import type { Answer, RestOrder, RestPlayer, TradeAnswer } from '../support/rest-player.ts'
import { isStale, type ReadSeen } from './judge.ts'

const ANSWER_MAX_MS = 30_000

export interface WitnessPlan {
  readonly players: readonly RestPlayer[]
  readonly tokens: readonly number[]
  /** Servers of one market, used in turn. */
  urls(): readonly string[]
  readonly isProxied: boolean
  /** Prints a stale read when it happens, so that it can be found in the logs. */
  say(line: string): void
}

/** Players who place one order after another, and read after each what it must have changed. */
export interface Witnesses {
  readonly acknowledged: readonly Acknowledged[]
  readonly reads: readonly ReadSeen[]
  /** Orders that were begun and are not acknowledged. */
  countPending(): number
  /** Begins to read: every node is of a build that lets a player read what they wrote at another. */
  read(): void
  /** Lets every order and read end. Rejects with whatever broke a witness. */
  stop(): Promise<void>
}

export function startWitnesses({ players, tokens, urls, isProxied, say }: WitnessPlan): Witnesses {
  const acknowledged: Acknowledged[] = []
  const reads: ReadSeen[] = []
  let begun = 0
  let isReading = false
  let isStopping = false
  const witness = async (player: RestPlayer): Promise<void> => {
    let bought: Acknowledged['trade'] | null = null
    for (let turn = 0; !isStopping; turn++) {
      const tokenId = tokens[(player.id + turn) % tokens.length] ?? 0
      const order: RestOrder = bought === null ? { tokenId, solAmount: '0.02' } : chooseSell(bought)
      const at = (tries: number) => choose(urls(), turn + tries)
      begun++
      const placing = { player, order, key: `witness-${turn}`, at, isProxied }
      const { done, answer } = await repeatUntilAnswered(placing, [])
      acknowledged.push(done)
      bought = bought === null ? done.trade : null
      // Each read goes to another node than the order, where there is no proxy that chooses.
      for (const read of isReading ? [readToken, readHistory] : []) {
        const seen = await read({ url: at(1) ?? '', player, done, answer })
        if (seen === null) continue
        reads.push(seen)
        if (isStale(seen))
          say(`a stale read after order ${done.key} at ${new Date().toISOString()}: ${JSON.stringify(seen)}`)
      }
    }
  }
  const all = Promise.all(players.map(witness))
  all.catch(() => {}) // `stop` rejects with it.
  return {
    acknowledged,
    reads,
    countPending: () => begun - acknowledged.length,
    read: () => {
      isReading = true
    },
    stop: async () => {
      isStopping = true
      await all
    },
  }
}

function choose(urls: readonly string[], turn: number): string | undefined {
  return urls[turn % urls.length]
}

interface Reading {
  readonly url: string
  readonly player: RestPlayer
  readonly done: Acknowledged
  readonly answer: Answer
}

/** The token's page, which each node caches. */
async function readToken(reading: Reading): Promise<ReadSeen | null> {
  const { trade } = reading.done
  const answer = await readAfter(reading, `/api/tokens/${trade.tokenId}`)
  if (answer === null) return null
  const { seq } = (await answer.json()) as { seq: number }
  return { read: 'token', wantedSeq: trade.seq, seq, isMarkedStale: isMarkedStale(answer) }
}

/** The player's own balance, which a replica may answer. */
async function readHistory(reading: Reading): Promise<ReadSeen | null> {
  const answer = await readAfter(reading, '/api/portfolio/history?timeframe=24H')
  if (answer === null) return null
  const { points } = (await answer.json()) as { points: readonly { balance: string }[] }
  const wantedBalance = (reading.answer.body as TradeAnswer).position.balance
  const balance = points.at(-1)?.balance
  assert(balance !== undefined, 'a history without a point')
  return { read: 'history', wantedBalance, balance, isMarkedStale: isMarkedStale(answer) }
}

/** Null where nothing was answered, or the order was answered without saying what a read must contain. */
async function readAfter({ url, player, answer }: Reading, path: string): Promise<Response | null> {
  const seen = answer.headers.get('papermoon-seen')
  if (seen === null) return null
  const headers = { cookie: player.cookie, 'papermoon-seen': seen }
  const signal = AbortSignal.timeout(ANSWER_MAX_MS)
  const response = await fetch(`${url}${path}`, { headers, signal }).catch(() => null)
  if (response?.status === 200) return response
  const isRefused = response === null || response.status >= 500
  assert(isRefused, `${path} got ${response?.status}`)
  await response?.body?.cancel()
  return null
}

function isMarkedStale({ headers }: Response): boolean {
  return headers.get('warning')?.startsWith('110') ?? false
}
