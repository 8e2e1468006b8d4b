import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { BenchContext, Suite } from '../bench.ts'
import { onScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { assertRoomForSockets } from '../fanout/hold-sockets.ts'
import { interleave } from '../load/interleave.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import { type Measurement, type Round, toMeasurement } from '../report/measurement.ts'
import { openRunDatabase, profilingFlags, startPapermoon } from '../servers/papermoon-server.ts'
import { signInPlayers } from '../servers/sign-in-players.ts'
import type { Heard, WatchPlan } from '../talk/watchers.ts'

const WATCHERS = 1_000
const WRITERS = 200
const BUYERS = 8
const POSTS_A_SECOND = 50
const BUYS_A_SECOND = 50
const TOKEN = 1
/** Max time from a post to its arrival at a watcher, in ms. */
const HEARD_MAX_MS = 1_000
const HEARD_WITHIN_MS = 30_000
const ROUNDS_MAX = 3

export const talk: Suite = {
  name: 'talk',
  about: `what ${POSTS_A_SECOND} posts a second to ${WATCHERS} watchers of one token cost its buys, and whether a post is lost or repeated`,
  run: async (context) => {
    assertRoomForSockets(WATCHERS)
    const plan = unevenMarket({ tokens: 50, players: WRITERS + BUYERS, trades: 5_000 })
    return await onScratchMarket({ name: 'talk', plan, say: context.say }, (dataDir) => measureOn(context, dataDir))
  },
}

async function measureOn(context: BenchContext, dataDir: string): Promise<Measurement[]> {
  const { port, stop } = await startPapermoon(dataDir, profilingFlags(context))
  const load = new LoadGenerator()
  const database = await openRunDatabase(dataDir)
  const plan: WatchPlan = { port, tokenId: TOKEN, watchers: context.isQuick ? 50 : WATCHERS }
  const worker = new Worker(new URL('../talk/watchers.ts', import.meta.url), { workerData: plan })
  try {
    await once(worker, 'message')
    const cookies = await signInPlayers(database.db, WRITERS + BUYERS)
    const seconds = context.isQuick ? 3 : 60
    const order = { port, transport: 'rest', tokenId: TOKEN, cookies: cookies.slice(WRITERS), seconds } as const
    const buy = () => load.run({ ...order, perSecond: BUYS_A_SECOND })
    const rounds = await interleave<'alone' | 'beside', { buys: Round; heard: Heard | null }>(
      Math.min(ROUNDS_MAX, context.rounds),
      {
        alone: async () => ({ buys: await buy(), heard: null }),
        beside: async () => {
          const buys = buy()
          const posts = await writeFor(port, cookies.slice(0, WRITERS), seconds)
          return { buys: await buys, heard: await untilHeard(worker, posts, context) }
        },
      },
    )
    worker.postMessage(null)
    return [
      toMeasurement({
        suite: 'talk',
        name: `buys beside posts, ${plan.watchers} watchers`,
        figure: 'p99Ms',
        target: { max: 1.5 },
        rounds: rounds.map(({ alone, beside }) => ({ subject: beside.buys, baseline: alone.buys })),
      }),
      toMeasurement({
        suite: 'talk',
        name: 'a post is heard within',
        figure: 'p99Ms',
        target: { max: 1 },
        rounds: rounds.map(({ beside }) => ({
          subject: { p50Ms: beside.heard?.p50Ms ?? Number.NaN, p99Ms: beside.heard?.p99Ms ?? Number.NaN },
          baseline: { p50Ms: HEARD_MAX_MS, p99Ms: HEARD_MAX_MS },
        })),
      }),
    ]
  } finally {
    await worker.terminate()
    await load.close()
    await database.close()
    await stop()
  }
}

/** Writes posts at an even pace and returns their ids. Throws if a post is not shown. */
async function writeFor(port: number, cookies: readonly string[], seconds: number): Promise<number[]> {
  const startedMs = performance.now()
  const posts: Promise<number>[] = []
  for (let n = 0; n < seconds * POSTS_A_SECOND; n++) {
    const dueMs = startedMs + (n * 1_000) / POSTS_A_SECOND
    if (dueMs > performance.now()) await delay(dueMs - performance.now())
    posts.push(write(port, cookies[n % cookies.length] ?? ''))
  }
  return await Promise.all(posts)
}

async function write(port: number, cookie: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/talk`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ tokenId: TOKEN, text: saySomething() }),
  })
  const post = (await answer.json()) as { id: number; state: string }
  if (answer.status !== 201 || post.state !== 'shown') throw new Error(`a post: ${answer.status} ${post.state}`)
  return post.id
}

const WORDS =
  'amber basin candle drift ember field garden harbor island jungle kettle ladder meadow nectar orchard paper quartz river silver timber umbrella valley window yellow zephyr anchor bridge copper desert engine'.split(
    ' ',
  )

/** Returns random words, so that no two posts are equal. */
export function saySomething(): string {
  return Array.from({ length: 12 }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ')
}

/**
 * Waits until all watchers have received the posts. Throws if a watcher lacks a post at the end, or received one twice.
 */
async function untilHeard(worker: Worker, posts: readonly number[], { say }: BenchContext): Promise<Heard> {
  const lateMs = performance.now() + HEARD_WITHIN_MS
  for (;;) {
    worker.postMessage(posts)
    const [heard] = (await once(worker, 'message')) as [Heard]
    if (heard.missing === 0 && heard.repeated === 0) {
      say(`  ${posts.length} posts heard, p50 ${heard.p50Ms} ms, p99 ${heard.p99Ms} ms`)
      return heard
    }
    if (heard.repeated > 0) throw new Error(`${heard.repeated} posts came again`)
    if (performance.now() > lateMs) throw new Error(`${heard.missing} posts never came`)
    await delay(100)
  }
}
