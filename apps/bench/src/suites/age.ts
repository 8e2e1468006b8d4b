import { sql } from 'kysely'
import { type BenchContext, runPart, type Suite } from '../bench.ts'
import { agedMarket, OLD_TOKEN, YOUNG_TOKEN } from '../dataset/market-plan.ts'
import { provideDataset } from '../dataset/provide-dataset.ts'
import { timeRead } from '../load/call.ts'
import { compare, measureEach } from '../load/interleave.ts'
import { runLoad } from '../load/run-load.ts'
import { type Measurement, type Round, toMeasurement } from '../report/measurement.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'
import { startMarket } from '../servers/start-market.ts'
import { tokenReads } from './token-reads.ts'

const CONNECTIONS = 8
/** Number of posts about the old token. Each post is by a different author. The young token has only ten posts. */
const POSTS = 1_000_000
const WRITERS = 500
const YOUNG_POSTS = 10
/** Number of posts per read. This number is less than a page, so that both sides send the same amount. */
const POSTS_READ = 5
const NO_DEARER = { max: 1.3 }
/** Number of small tokens that are read first, so that the timed reads do not include the server's warm-up. */
const WARMING_READS = 60

export const age: Suite = {
  name: 'age',
  about: 'what reads of a token with 1,000,000 trades cost (latency), against one with 1,000',
  run: async (context) => {
    const plan = agedMarket(
      context.isQuick
        ? { old: 10_000, young: 1_000, others: WARMING_READS, players: 500 }
        : { old: 1_000_000, young: 1_000, others: 1_000, players: 10_000 },
    )
    const { dataDir } = await provideDataset(context, plan)
    const posts = context.isQuick ? 10_000 : POSTS
    await runPart(context, (part) => addPosts(part, dataDir, posts))
    const page = (id: number) => `/api/talk?tokenId=${id}&limit=${POSTS_READ}`
    const middle = (id: number) => (id === OLD_TOKEN ? posts / 2 : posts + YOUNG_POSTS)
    const talk = [
      { name: 'talk', path: page },
      { name: 'talk, next page', path: (id: number) => `${page(id)}&cursor=${middle(id)}` },
    ]
    const reads = [...tokenReads, ...talk].filter(({ name }) => name.includes(context.only))
    const first = await compareFirstReads({ context, dataDir, reads })
    return [...first, ...(await runPart(context, (part) => compareWarmReads({ context: part, dataDir, reads })))]
  },
}

/** Adds posts by many players about the two tokens, unless an earlier run already added them. */
async function addPosts(context: BenchContext, dataDir: string, count: number): Promise<void> {
  const { db } = await startMarket(context, dataDir)
  const write = async (topic: number, posts: number) => {
    const { rows } = await sql`select from posts where topic = ${topic} limit 1`.execute(db)
    if (rows.length > 0) return
    await sql`
      insert into posts (topic, user_id, text, price, seq, skeleton, position, created_at)
      select ${topic}, 1 + n % ${WRITERS}::int, 'Post number ' || n, 0.001, 1, n, first + n - 1,
             now() - (${posts} - n) * interval '1 second'
        from (select next_position(${posts}) as first) places, generate_series(1, ${posts}) n`.execute(db)
  }
  await write(OLD_TOKEN, count)
  await write(YOUNG_TOKEN, YOUNG_POSTS)
  await sql`vacuum (analyze) posts`.execute(db)
}

interface AgeBench {
  readonly context: BenchContext
  readonly dataDir: string
  readonly reads: typeof tokenReads
}

/** Measures how long repeated reads take. */
async function compareWarmReads({ context, dataDir, reads }: AgeBench): Promise<Measurement[]> {
  const { port } = await startPapermoon(context, dataDir)
  return await measureEach(context, reads, ({ name, path }) => {
    const plan = { port, connections: CONNECTIONS, seconds: context.roundSeconds }
    const about = { suite: 'age', name: `${name}, again`, figure: 'p50Ms', target: NO_DEARER }
    return compare(context, about, {
      baseline: () => runLoad({ ...plan, paths: [path(YOUNG_TOKEN)] }),
      subject: () => runLoad({ ...plan, paths: [path(OLD_TOKEN)] }),
    })
  })
}

/**
 * Measures how long the first read of a token takes after a server's start, with cold caches in the process and in
 * PostgreSQL.
 */
async function compareFirstReads({ context, dataDir, reads }: AgeBench): Promise<Measurement[]> {
  const rounds = reads.map((): { subject: Round; baseline: Round }[] => [])
  for (let start = 0; start < context.rounds * 2 + 1; start++) {
    await runPart(context, async (part) => {
      const { port } = await startPapermoon(part, dataDir)
      for (const [i, { path }] of reads.entries()) {
        for (let id = 3; id < 3 + WARMING_READS; id++) await timeRead(port, path(id))
        // The second read may profit from data that the first read loaded, so the sides take turns at going first.
        const ids = start % 2 === 0 ? [YOUNG_TOKEN, OLD_TOKEN] : [OLD_TOKEN, YOUNG_TOKEN]
        const p50Ms = new Map<number, number>()
        for (const id of ids) p50Ms.set(id, await timeRead(port, path(id)))
        const of = (id: number) => ({ p50Ms: p50Ms.get(id) ?? Number.NaN })
        rounds[i]?.push({ subject: of(OLD_TOKEN), baseline: of(YOUNG_TOKEN) })
      }
    })
  }
  return reads.map(({ name }, i) => {
    const about = { suite: 'age', name: `${name}, first`, figure: 'p50Ms', target: NO_DEARER }
    return toMeasurement({ ...about, rounds: rounds[i] ?? [] })
  })
}
