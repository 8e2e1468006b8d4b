import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BenchContext } from '../bench.ts'
import { interleave } from '../load/interleave.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import type { Transport } from '../load/plans.ts'
import { BENCH_FOLDER, ROOT } from '../paths.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../report/measurement.ts'
import type { ChildServer } from '../servers/child-server.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'
import { checkOut } from './checkout.ts'
import { createMarket, type NewMarket } from './new-market.ts'

const CONNECTIONS = 128
const READERS = 32
/** How long a server counts as cold after its start, in seconds. */
const COLD_SECONDS = 10
/** Time between the first buy and the first read, in ms. */
const RISE_MS = 300
/** Target ratios. A loss of a tenth misses the target; half of that may be noise. */
const AT_LEAST: Target = { min: 0.95 }
const AT_MOST: Target = { max: 1.05 }
const READ = 'a token beside them'

/** Suites that can compare two commits, and the transports of each suite's orders. */
export const COMPARED = {
  storm: ['rest'],
  transports: ['rest', 'trpc', 'trpc-socket'],
} as const satisfies Readonly<Record<string, readonly Transport[]>>

/** One commit's server, with its own market. */
interface Side {
  readonly server: ChildServer
  readonly market: NewMarket
}

type SideName = 'subject' | 'baseline'

/** Generate the load for both sides. */
interface Loads {
  readonly buying: LoadGenerator
  readonly reading: LoadGenerator
}

/** Both sides' rounds, by the name of the measurement. */
type Rounds = Map<string, { subject: Round; baseline: Round }[]>

/**
 * Measures this tree (subject) against a commit (baseline) in turns. 24 players buy one hot token over 128 connections,
 * and in `storm` other clients read the token's page at the same time. Measures rates, p99 and the server's CPU time
 * per order, cold (the first ten seconds of a server) and warm. Each round starts both servers again, in the opposite
 * order, because one process can differ from the next by up to a quarter as long as it lives.
 */
export async function compareCommits(
  context: BenchContext,
  commit: string,
  suite: keyof typeof COMPARED,
): Promise<Measurement[]> {
  const checkout = checkOut(commit)
  const loads = { buying: new LoadGenerator(), reading: new LoadGenerator() }
  const rounds: Rounds = new Map()
  try {
    for (let round = 0; round < context.rounds; round++) {
      const roots = { subject: ROOT, baseline: checkout.root }
      const names: SideName[] = round % 2 === 0 ? ['subject', 'baseline'] : ['baseline', 'subject']
      await onSides(roots, names, async (sides) => await measureRound({ context, loads, suite, sides }, rounds))
    }
  } finally {
    await Promise.all([loads.buying.close(), loads.reading.close()])
    checkout.remove()
  }
  return [...rounds].flatMap(([name, of]) => {
    const title = `${name}, this tree : ${commit}`
    const p99 = toMeasurement({ suite, name: `${title}, p99`, figure: 'p99Ms', target: AT_MOST, rounds: of })
    if (name === READ) return [p99]
    return [toMeasurement({ suite, name: title, figure: 'perSecond', target: AT_LEAST, rounds: of }), p99]
  })
}

interface RoundPlan {
  readonly context: BenchContext
  readonly loads: Loads
  readonly suite: keyof typeof COMPARED
  readonly sides: Readonly<Record<SideName, Side>>
}

/** Measures one round. Each server's first ten seconds count as cold. The first turn after them does not count. */
async function measureRound({ context, loads, suite, sides }: RoundPlan, rounds: Rounds): Promise<void> {
  const keep = (name: string, counted: { subject: Round; baseline: Round }[]) =>
    rounds.set(name, [...(rounds.get(name) ?? []), ...counted])
  const buyOver = (transport: Transport, seconds: number) => (side: Side) =>
    buy(loads.buying, side, { transport, seconds })
  const [first] = COMPARED[suite]
  const cold: Partial<Record<SideName, Round>> = {}
  // Measure in the order in which the servers started.
  for (const name of Object.keys(sides) as SideName[]) cold[name] = await buyOver(first, COLD_SECONDS)(sides[name])
  keep(`${first}, cold`, [cold as Record<SideName, Round>])
  const seconds = context.roundSeconds * 2
  const work: [name: string, run: (side: Side) => Promise<Round>][] = COMPARED[suite].map((transport) => [
    `${transport}, warm`,
    buyOver(transport, seconds),
  ])
  if (suite === 'storm') work.push([READ, (side) => readInStorm(context, loads, side)])
  for (const [name, run] of work) {
    const [, ...counted] = await interleave(3, {
      baseline: () => run(sides.baseline),
      subject: () => run(sides.subject),
    })
    keep(name, counted)
  }
}

/** Starts both servers on new markets, in the order of `names`, and stops them after the work. */
async function onSides(
  roots: Readonly<Record<SideName, string>>,
  names: readonly SideName[],
  work: (sides: RoundPlan['sides']) => Promise<void>,
): Promise<void> {
  const stops: (() => Promise<void>)[] = []
  const sides: Partial<Record<SideName, Side>> = {}
  try {
    for (const name of names) sides[name] = await openSide(roots[name], name, stops)
    await work(sides as RoundPlan['sides'])
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

async function openSide(root: string, name: string, stops: (() => Promise<void>)[]): Promise<Side> {
  const dataDir = join(BENCH_FOLDER, `compare-${name}`)
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  stops.push(async () => rmSync(dataDir, { recursive: true, force: true }))
  const server = await startPapermoon(dataDir, [], root)
  stops.push(() => server.stop())
  return { server, market: await createMarket(server.port) }
}

async function buy(
  buying: LoadGenerator,
  { server, market }: Side,
  { transport, seconds }: { transport: Transport; seconds: number },
): Promise<Round> {
  const { tokenId, cookies } = market
  const before = server.cpuMs()
  const result = await buying.run({
    port: server.port,
    transport,
    tokenId,
    cookies: Array.from({ length: CONNECTIONS }, (_, i) => cookies[i % cookies.length] ?? ''),
    seconds,
  })
  return { ...result, cpuUs: ((server.cpuMs() - before) * 1_000) / result.answered }
}

async function readInStorm(context: BenchContext, loads: Loads, side: Side): Promise<Round> {
  const { port } = side.server
  const storm = buy(loads.buying, side, { transport: 'rest', seconds: context.roundSeconds * 2 })
  await delay(RISE_MS)
  const paths = [`/api/tokens/${side.market.tokenId}`]
  const plan = { port, paths, first: 0, connections: READERS, seconds: context.roundSeconds }
  const round = await loads.reading.run(plan)
  const { perSecond } = await storm
  return { ...round, buysPerSecond: perSecond ?? Number.NaN }
}
