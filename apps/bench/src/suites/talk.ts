import type { Suite } from '../bench.ts'
import { makeScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { type Delivery, holdSockets } from '../fanout/hold-sockets.ts'
import { atPace } from '../load/at-pace.ts'
import { buyOnce } from '../load/buy.ts'
import { call } from '../load/call.ts'
import { interleave } from '../load/interleave.ts'
import { type Round, toMeasurement } from '../report/measurement.ts'
import { quantile } from '../report/median.ts'
import { startMarket } from '../servers/start-market.ts'

const WATCHERS = 1_000
const WRITERS = 200
/** Number of buyers. With few buyers, a stall would reach the limit of a player's concurrent orders. */
const BUYERS = 50
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
    const { port, cookies } = await startMarket(context, dataDir, WRITERS + BUYERS)
    const held = await holdSockets(context, { port, kind: 'talk', tokenId: TOKEN, sockets: watchers })
    const seconds = context.isQuick ? 3 : 60
    const buy = async (): Promise<Round> => {
      const tookMs = await atPace({ perSecond: BUYS_A_SECOND, seconds }, (n) =>
        buyOnce(port, { tokenId: TOKEN, cookie: cookies[WRITERS + (n % BUYERS)] }),
      )
      return { p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) }
    }
    const post = async () => {
      const posts = await atPace({ perSecond: POSTS_A_SECOND, seconds }, (n) => write(port, cookies[n % WRITERS]))
      return posts.length
    }
    const rounds = await interleave<'alone' | 'beside', { buys: Round; heard: Delivery | null }>(
      Math.min(ROUNDS_MAX, context.rounds),
      {
        alone: async () => ({ buys: await buy(), heard: null }),
        beside: async () => {
          const buys = buy()
          const heard = await held.during(post)
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

/** Writes a post. Throws an error if the post is not shown. */
async function write(port: number, cookie: string | undefined): Promise<void> {
  const body = JSON.stringify({ tokenId: TOKEN, text: saySomething() })
  const post = (await (await call(port, '/api/talk', { cookie, body })).json()) as { state: string }
  if (post.state !== 'shown') throw new Error(`a post: ${post.state}`)
}

const WORDS =
  'amber basin candle drift ember field garden harbor island jungle kettle ladder meadow nectar orchard paper quartz river silver timber umbrella valley window yellow zephyr anchor bridge copper desert engine'.split(
    ' ',
  )

/** Returns random words, so that no two posts have the same text. */
function saySomething(): string {
  return Array.from({ length: 12 }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ')
}
