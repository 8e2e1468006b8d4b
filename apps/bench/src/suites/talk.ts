import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Suite } from '../bench.ts'
import { makeScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { type Delivery, holdSockets } from '../fanout/hold-sockets.ts'
import { interleave } from '../load/interleave.ts'
import { runLoad } from '../load/run-load.ts'
import { type Round, toMeasurement } from '../report/measurement.ts'
import { openRunDatabase, startPapermoon } from '../servers/papermoon-server.ts'
import { signInPlayers } from '../servers/sign-in-players.ts'

const WATCHERS = 1_000
const WRITERS = 200
const BUYERS = 8
const POSTS_A_SECOND = 50
const BUYS_A_SECOND = 50
const TOKEN = 1
/** Max time from a post until a watcher receives it, in ms. */
const HEARD_MAX_MS = 1_000
const ROUNDS_MAX = 3

export const talk: Suite = {
  name: 'talk',
  about: `what ${POSTS_A_SECOND} posts a second to ${WATCHERS} watchers of one token cost its buys, and whether a post is lost or repeated`,
  run: async (context) => {
    const watchers = context.isQuick ? 50 : WATCHERS
    const plan = unevenMarket({ tokens: 50, players: WRITERS + BUYERS, trades: 5_000 })
    const dataDir = await makeScratchMarket(context, plan)
    const { port } = await startPapermoon(context, dataDir)
    const cookies = await signInPlayers(openRunDatabase(context, dataDir), WRITERS + BUYERS)
    const held = await holdSockets(context, { port, kind: 'talk', tokenId: TOKEN, sockets: watchers })
    const seconds = context.isQuick ? 3 : 60
    const order = { port, transport: 'rest', tokenId: TOKEN, cookies: cookies.slice(WRITERS), seconds } as const
    const buy = () => runLoad({ ...order, perSecond: BUYS_A_SECOND })
    const rounds = await interleave<'alone' | 'beside', { buys: Round; heard: Delivery | null }>(
      Math.min(ROUNDS_MAX, context.rounds),
      {
        alone: async () => ({ buys: await buy(), heard: null }),
        beside: async () => {
          const buys = buy()
          const heard = await held.during(() => writeFor(port, cookies.slice(0, WRITERS), seconds))
          return { buys: await buys, heard }
        },
      },
    )
    return [
      toMeasurement({
        suite: 'talk',
        name: `buys beside posts, ${watchers} watchers`,
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
  },
}

/** Writes posts at an even pace. Returns the number of posts. Throws an error if a post is not shown. */
async function writeFor(port: number, cookies: readonly string[], seconds: number): Promise<number> {
  const startedMs = performance.now()
  const posts: Promise<void>[] = []
  for (let n = 0; n < seconds * POSTS_A_SECOND; n++) {
    const dueMs = startedMs + (n * 1_000) / POSTS_A_SECOND
    if (dueMs > performance.now()) await delay(dueMs - performance.now())
    posts.push(write(port, cookies[n % cookies.length] ?? ''))
  }
  await Promise.all(posts)
  return posts.length
}

async function write(port: number, cookie: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/talk`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ tokenId: TOKEN, text: saySomething() }),
  })
  const post = (await answer.json()) as { state: string }
  if (answer.status !== 201 || post.state !== 'shown') throw new Error(`a post: ${answer.status} ${post.state}`)
}

const WORDS =
  'amber basin candle drift ember field garden harbor island jungle kettle ladder meadow nectar orchard paper quartz river silver timber umbrella valley window yellow zephyr anchor bridge copper desert engine'.split(
    ' ',
  )

/** Returns random words, so that no two posts have the same text. */
function saySomething(): string {
  return Array.from({ length: 12 }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ')
}
