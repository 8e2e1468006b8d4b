import { once } from 'node:events'
import type { BenchContext, Suite } from '../../bench.ts'
import { busiestToken, unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchMarket } from '../../dataset/on-scratch-market.ts'
import { anonymousGet } from '../../load/anonymous-get.ts'
import { interleave } from '../../load/interleave.ts'
import { LoadGenerator } from '../../load/load-generator.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../../report/measurement.ts'
import type { ChildServer } from '../../servers/child-server.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'
import { openRunDatabase } from '../../servers/run-database.ts'
import { signInPlayers } from '../../servers/sign-in-players.ts'

const SWITCHED = ['--import', './apps/api/testing/switch-etags.ts']
const READERS = 32
const BUYERS = 8
/** Few enough that the readers have most of the server. */
const BUYS_PER_SECOND = 100
const COSTS_NOTHING: Target = { min: 0.97 }

export const etags: Suite = {
  name: 'etags',
  about: 'public reads with an ETag against the same without, unchanged and changed by each buy, and 304 against 200',
  run: async (context) => {
    const plan = unevenMarket(
      context.isQuick
        ? { tokens: 200, players: 200, trades: 5_000 }
        : { tokens: 1_000, players: 1_000, trades: 50_000 },
    )
    const market = { name: 'etags', plan, say: context.say }
    return await onScratchMarket(market, (dataDir) => measureOn(context, dataDir, busiestToken(plan)))
  },
}

interface EtagBench {
  readonly context: BenchContext
  readonly server: ChildServer
  readonly tokenId: number
  readonly cookies: readonly string[]
  readonly reading: LoadGenerator
  readonly buying: LoadGenerator
}

async function measureOn(context: BenchContext, dataDir: string, tokenId: number): Promise<Measurement[]> {
  const server = await startPapermoon(dataDir, SWITCHED)
  const [reading, buying] = [new LoadGenerator(), new LoadGenerator()]
  try {
    const database = await openRunDatabase(dataDir)
    const cookies = await signInPlayers(database.db, BUYERS).finally(() => database.close())
    const bench = { context, server, tokenId, cookies, reading, buying }
    const measurements: Measurement[] = []
    for (const one of listCases(tokenId).filter(({ name }) => name.includes(context.only))) {
      measurements.push(await compare(bench, one))
    }
    return measurements
  } finally {
    await reading.close()
    await buying.close()
    await server.stop()
  }
}

interface EtagCase {
  readonly name: string
  readonly path: string
  readonly kind: 'unchanged' | 'changing' | '304 : 200'
}

function listCases(tokenId: number): EtagCase[] {
  const reads = [
    { name: 'token', path: `/api/tokens/${tokenId}` },
    { name: 'tokens, newest 24', path: '/api/tokens?limit=24' },
    { name: 'tokens, newest 1,000', path: '/api/tokens' },
  ]
  const kinds = ['unchanged', 'changing', '304 : 200'] as const
  return kinds.flatMap((kind) => reads.map(({ name, path }) => ({ name: `${name}, ${kind}`, path, kind })))
}

async function compare(bench: EtagBench, { name, path, kind }: EtagCase): Promise<Measurement> {
  const { context, server } = bench
  const request = anonymousGet(server.port, path)
  // Cached answers are apart by their host.
  const withoutTag = request.replace('127.0.0.1', 'localhost')
  const known = request.replace('\r\n\r\n', '\r\nIf-None-Match: *\r\n\r\n')
  const read =
    (asked: string, isTagged: boolean, status = 200) =>
    async () => {
      await switchEtags(server, isTagged ? 'on' : 'off')
      const work = () => readWithCpu(bench, asked, status)
      return kind === 'changing' ? await whileBuying(bench, work) : await work()
    }
  const is304 = kind === '304 : 200'
  const rounds = await interleave(context.rounds, {
    baseline: is304 ? read(request, true) : read(withoutTag, false),
    subject: is304 ? read(known, true, 304) : read(request, true),
  })
  const target = is304 ? null : COSTS_NOTHING
  const measurement = toMeasurement({ suite: 'etags', name, figure: 'perSecond', target, rounds })
  context.say(`  ${name}: ${measurement.ratio.toFixed(3)}`)
  return measurement
}

async function switchEtags({ child }: ChildServer, to: 'on' | 'off'): Promise<void> {
  const switched = once(child, 'message')
  child.send(to)
  await switched
}

/** Includes the CPU time of the server's process for each read. */
async function readWithCpu({ context, server, reading }: EtagBench, request: string, status: number): Promise<Round> {
  const beforeMs = server.cpuMs()
  const plan = { port: server.port, requests: [request], first: 0, connections: READERS, seconds: context.roundSeconds }
  const result = await reading.run({ ...plan, status })
  return { ...result, cpuUs: ((server.cpuMs() - beforeMs) * 1_000) / result.answered }
}

async function whileBuying(
  { context, server, tokenId, cookies, buying }: EtagBench,
  work: () => Promise<Round>,
): Promise<Round> {
  const storm = buying.run({
    port: server.port,
    transport: 'rest',
    tokenId,
    cookies,
    seconds: context.roundSeconds,
    perSecond: BUYS_PER_SECOND,
    listeners: null,
  })
  const [round] = await Promise.all([work(), storm])
  return round
}
