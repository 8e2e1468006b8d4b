import { once } from 'node:events'
import type { Log } from '../lib/log.ts'
import { pause } from '../lib/pause.ts'
import type { Trader } from '../orders/trader.ts'
import { type LoadArguments, RATE_MAX } from './arguments.ts'
import { EventCheck } from './event-check.ts'
import { findLimit } from './find-limit.ts'
import { launchTokens } from './launch-tokens.ts'
import { LoadError } from './load-error.ts'
import { LoadMarket } from './load-market.ts'
import { openPlayers, registerPlayers } from './players.ts'
import { Progress, type Screen } from './progress.ts'
import { formatLimit, formatReport, formatStep, isHeld } from './report.ts'
import { type LoadPlan, LoadRun } from './run-load.ts'

/** Fewer open tokens would make every order wait for the same few. */
const TOKENS_MIN = 10
/** How long the server may take to say that it is there. */
const HEALTH_MAX_MS = 5_000
/** Between the steps of a ramp, for the server to calm down. */
const REST_MS = 1_000

interface Io {
  /** Ends the load; the report says what happened so far. */
  readonly signal: AbortSignal
  /** The report. */
  readonly out: Pick<Screen, 'write'>
  /** Progress. */
  readonly err: Screen
}

/** Makes the load that the arguments describe and prints its report. Throws `LoadError` and `ConfigError`. */
export async function runCommand(args: LoadArguments, { signal, out, err }: Io): Promise<void> {
  const progress = new Progress(err)
  await assertServer(args.url)
  const traders = await openTraders(args, { signal, progress })
  if (traders.length === 0) return
  const check = new EventCheck()
  const log = toProgressLog(progress)
  // Events of the last orders are still to come when the load is interrupted.
  const closing = new AbortController()
  const market = new LoadMarket({ url: args.url, seed: args.seed, traders, check, log, signal: closing.signal })
  await Promise.race([market.start(), once(signal, 'abort')])
  const count = Math.max(0, TOKENS_MIN - market.countOpenTokens())
  await launchTokens({ traders, count, seed: args.seed, signal })
  const byUser = new Map(traders.map((trader) => [trader.account.userId, trader]))
  const run = async (plan: LoadPlan) => {
    const load = new LoadRun(plan, { traders: byUser, market, check, signal })
    const stop = progress.follow(load)
    return await load.run().finally(stop)
  }
  if (!args.isRamp) out.write(formatReport(await run(args)))
  else await ramp(args, { run, signal, out })
  closing.abort()
  await Promise.race([market.close(), pause(REST_MS, new AbortController().signal)])
}

interface RampParts extends Pick<Io, 'signal' | 'out'> {
  readonly run: (plan: LoadPlan) => ReturnType<LoadRun['run']>
}

async function ramp({ rate: firstRate, seconds, seed }: LoadArguments, { run, signal, out }: RampParts): Promise<void> {
  const limit = await findLimit({ firstRate, rateMax: RATE_MAX }, async (rate) => {
    const result = await run({ rate, seconds, seed: `${seed}/${rate}` })
    if (signal.aborted) return null
    const step = { rate, isHeld: isHeld(result), result }
    out.write(formatStep(step))
    await pause(REST_MS, signal)
    return step
  })
  out.write(formatLimit(limit))
}

async function assertServer(url: string): Promise<void> {
  const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(HEALTH_MAX_MS) }).catch(() => null)
  if (answer?.ok) return
  throw new LoadError(
    `No Papermoon answers at ${url}. Please start one with npm start, or name its address with --url.`,
  )
}

interface OpenParts {
  readonly signal: AbortSignal
  readonly progress: Progress
}

async function openTraders(args: LoadArguments, { signal, progress }: OpenParts): Promise<Trader[]> {
  const { url, players, keysFile } = args
  const verb = keysFile === null ? 'registered' : 'signed in'
  const onProgress = (count: number) => progress.say(`${verb} ${count} of ${players} players`)
  const options = { url, signal, onProgress }
  const traders =
    keysFile === null ? await registerPlayers(players, options) : await openPlayers(keysFile, players, options)
  progress.end()
  return signal.aborted ? [] : traders
}

/** The feed's warnings, as lines between the progress. */
function toProgressLog(progress: Progress): Log {
  const note = (message: string, { reason }: { reason?: string } = {}) =>
    progress.note(reason === undefined ? message : `${message}: ${reason}`)
  return { info: note, warn: note, error: note }
}
