import { parentPort, workerData } from 'node:worker_threads'
import { timeIn } from '../fanout/event-times.ts'
import { quantile } from '../report/median.ts'
import { openSocket } from '../sockets/open-socket.ts'

export interface WatchPlan {
  readonly port: number
  readonly tokenId: number
  readonly watchers: number
}

/** What the watchers heard of some posts. */
export interface Heard {
  /** Number of missing posts, summed over all watchers. */
  readonly missing: number
  /** Number of posts that a watcher received twice. */
  readonly repeated: number
  /** Sampled latency in ms, from a post's time to its arrival. */
  readonly p50Ms: number
  readonly p99Ms: number
}

const OPENING_MAX = 50
const SAMPLE_EVERY = 61
const POST_ID = Buffer.from('"post":{"id":')
const DIGITS = 12

/** Watches one token's posts with many sockets in a separate thread, and records which posts each socket received. */
const { port, tokenId, watchers } = workerData as WatchPlan
const sockets: { close(): void }[] = []
let heard = emptySets()
let repeated = 0
let count = 0
let delaysMs: number[] = []
let lost: string | null = null

function emptySets(): Set<number>[] {
  return Array.from({ length: watchers }, () => new Set())
}

async function open(index: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const listener = {
    text: (payload: Buffer) => {
      const at = payload.indexOf(POST_ID)
      if (at < 0) return resolve()
      const from = at + POST_ID.length
      take(index, Number.parseInt(payload.toString('latin1', from, from + DIGITS), 10), payload)
    },
    lost: (reason: string) => {
      lost = reason
    },
  }
  const socket = await openSocket({ port, path: '/trpc' }, listener)
  sockets.push(socket)
  const params = { input: { json: { tokenId } }, path: 'talk.watch' }
  socket.send(JSON.stringify({ id: 1, method: 'subscription', params }))
  await promise
}

function take(index: number, id: number, payload: Buffer): void {
  const ids = heard[index] ?? new Set()
  if (ids.has(id)) repeated++
  ids.add(id)
  if (++count % SAMPLE_EVERY === 0) delaysMs.push(Date.now() - timeIn(payload))
}

/** A list of post ids asks for what was received of them; `null` closes the sockets. */
parentPort?.on('message', (posts: readonly number[] | null) => {
  if (posts === null) {
    for (const socket of sockets) socket.close()
    parentPort?.close()
    return
  }
  if (lost !== null) throw new Error(lost)
  const missing = heard.reduce((sum, ids) => sum + posts.filter((id) => !ids.has(id)).length, 0)
  const delays = delaysMs.length === 0 ? [0] : delaysMs
  const result: Heard = { missing, repeated, p50Ms: quantile(delays, 0.5), p99Ms: quantile(delays, 0.99) }
  parentPort?.postMessage(result)
  if (missing > 0) return
  heard = emptySets()
  repeated = 0
  delaysMs = []
})

for (let from = 0; from < watchers; from += OPENING_MAX) {
  const some = Math.min(OPENING_MAX, watchers - from)
  await Promise.all(Array.from({ length: some }, (_, n) => open(from + n)))
}
parentPort?.postMessage('open')
