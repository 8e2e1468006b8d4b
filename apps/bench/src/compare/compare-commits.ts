import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchContext, runPart } from '../bench.ts'
import { interleave } from '../load/interleave.ts'
import type { Transport } from '../load/plans.ts'
import { runLoad } from '../load/run-load.ts'
import { BENCH_FOLDER, ROOT } from '../paths.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../report/measurement.ts'
import type { ChildServer } from '../servers/child-server.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'
import { readInStorm } from '../suites/storm.ts'
import { checkOut } from './checkout.ts'
import { createMarket, type NewMarket } from './new-market.ts'

const CONNECTIONS = 128
const READERS = 32
/** How long a server counts as cold after its start, in seconds. */
const COLD_SECONDS = 10
/**
 * The ratios that a comparison should reach. A result that is a tenth worse misses the target, but up to half of this
 * difference may be noise.
 */
const AT_LEAST: Target = { min: 0.95 }
const AT_MOST: Target = { max: 1.05 }
const READ = 'a token beside them'

/** Suites that can compare two commits, and the transports that each suite's orders use. */
export const COMPARED = {
  storm: ['rest'],
  transports: ['rest', 'trpc', 'trpc-socket'],
} as const satisfies Readonly<Record<string, readonly Transport[]>>

type ComparedSuite = keyof typeof COMPARED

/** The server of one commit, with its own market. */
interface Side extends NewMarket {
  readonly server: ChildServer
}

type Sides<T> = Readonly<Record<'subject' | 'baseline', T>>

/**
 * Compares this tree (subject) with a commit (baseline) in turns. 24 players buy one token over 128 connections. In the
 * suite `storm`, other clients read the token's page at the same time. Measures rates, p99 and the server's CPU time
 * per order. A server is cold in its first ten seconds, and then warm. Each round starts both servers again, in the
 * opposite order, because two processes can differ by up to a quarter for as long as they run.
 */
export async function compareCommits(
  context: BenchContext,
  commit: string,
  suite: ComparedSuite,
): Promise<Measurement[]> {
  const roots = { subject: ROOT, baseline: checkOut(context, commit) }
  const rounds = new Map<string, Sides<Round>[]>()
  for (let round = 0; round < context.rounds; round++) {
    const measured = await runPart(context, async (part) => {
      const names = round % 2 === 0 ? (['subject', 'baseline'] as const) : (['baseline', 'subject'] as const)
      const sides: Partial<Record<keyof Sides<Side>, Side>> = {}
      for (const name of names) sides[name] = await openSide(part, name, roots[name])
      return await measureRound(context, suite, sides as Sides<Side>)
    })
    for (const [name, counted] of measured) rounds.set(name, [...(rounds.get(name) ?? []), ...counted])
  }
  return [...rounds].flatMap(([name, of]) => {
    const title = `${name}, this tree : ${commit}`
    const p99 = toMeasurement({ suite, name: `${title}, p99`, figure: 'p99Ms', target: AT_MOST, rounds: of })
    if (name === READ) return [p99]
    return [toMeasurement({ suite, name: title, figure: 'perSecond', target: AT_LEAST, rounds: of }), p99]
  })
}

async function openSide(context: BenchContext, name: string, root: string): Promise<Side> {
  const dataDir = join(BENCH_FOLDER, `compare-${name}`)
  const clear = () => rmSync(dataDir, { recursive: true, force: true })
  clear()
  mkdirSync(dataDir, { recursive: true })
  context.cleanup.defer(clear)
  const server = await startPapermoon(context, dataDir, root)
  return { server, ...(await createMarket(server.port)) }
}

/**
 * Measures one round. The first ten seconds of each server count as cold. The first turn of a warm server is not
 * measured.
 */
async function measureRound(
  context: BenchContext,
  suite: ComparedSuite,
  sides: Sides<Side>,
): Promise<[name: string, counted: Sides<Round>[]][]> {
  const [first] = COMPARED[suite]
  const cold: Partial<Record<keyof Sides<Round>, Round>> = {}
  // Measure the servers in the order in which they started.
  for (const name of Object.keys(sides) as (keyof Sides<Side>)[])
    cold[name] = await buy(sides[name], first, COLD_SECONDS)
  const measured: [string, Sides<Round>[]][] = [[`${first}, cold`, [cold as Sides<Round>]]]
  const seconds = context.roundSeconds * 2
  const work: [name: string, run: (side: Side) => Promise<Round>][] = COMPARED[suite].map((transport) => [
    `${transport}, warm`,
    (side) => buy(side, transport, seconds),
  ])
  if (suite === 'storm') work.push([READ, (side) => readToken(side, context.roundSeconds)])
  for (const [name, run] of work) {
    const [, ...counted] = await interleave(3, {
      baseline: () => run(sides.baseline),
      subject: () => run(sides.subject),
    })
    measured.push([name, counted])
  }
  return measured
}

async function buy(side: Side, transport: Transport, seconds: number): Promise<Round> {
  return await side.server.measureCpu(runLoad({ ...toOrder(side), transport, seconds }))
}

async function readToken(side: Side, seconds: number): Promise<Round> {
  const order = toOrder(side)
  const plan = { port: order.port, paths: [`/api/tokens/${side.tokenId}`], connections: READERS, seconds }
  return await readInStorm(order, seconds, () => runLoad(plan))
}

function toOrder({ server: { port }, tokenId, cookies }: Side) {
  const all = Array.from({ length: CONNECTIONS }, (_, i) => cookies[i % cookies.length] ?? '')
  return { port, tokenId, cookies: all }
}
