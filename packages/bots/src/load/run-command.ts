import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, StoryTeller } from '../index.ts'
import { type LoadArguments, LoadError, RATE_MAX } from './arguments.ts'
import { EventCheck } from './event-check.ts'
import { findLimit } from './find-limit.ts'
import { LoadMarket } from './load-market.ts'
import { openPlayers, registerPlayers } from './open-players.ts'
import type { Player } from './player.ts'
import { Progress, type Screen } from './progress.ts'
import { formatLimit, formatReport, formatStep, isHeld } from './report.ts'
import { type LoadPlan, LoadRun } from './run-load.ts'

/** Min number of open tokens. With fewer tokens, all orders would wait for the same locks. */
const TOKENS_MIN = 10
/** SOL of each creator's first buy. */
const INITIAL_BUY = 0.5
/** How long to wait for the server's health check, in ms. */
const HEALTH_MAX_MS = 5_000
/** Pause between the steps of a ramp, in ms. */
const REST_MS = 1_000

interface Io {
  /** When this signal aborts, the load test ends and reports the test so far. */
  readonly signal: AbortSignal
  readonly out: Pick<Screen, 'write'>
  readonly err: Screen
}

/** Runs the load test that the arguments describe and prints its report. Throws `LoadError`. */
export async function runCommand(args: LoadArguments, { signal, out, err }: Io): Promise<void> {
  const progress = new Progress(err)
  const { url, seed } = args
  await assertServer(url)
  const players = await openAll(args, { signal, progress })
  if (players.length === 0) return
  const check = new EventCheck()
  const market = new LoadMarket({ url, seed, players, check, note: (line) => progress.note(line) })
  await Promise.race([market.start(), once(signal, 'abort')])
  await launchTokens(players, Math.max(0, TOKENS_MIN - market.countOpenTokens()), { seed, signal })
  const byUser = new Map(players.map((player) => [player.userId, player]))
  const run = async (plan: LoadPlan) => {
    const load = new LoadRun(plan, { players: byUser, market, check, signal })
    const stop = progress.follow(load)
    return await load.run().finally(stop)
  }
  if (!args.isRamp) out.write(formatReport(await run(args)))
  else await ramp(args, { run, signal, out })
  market.close()
}

/** Makes the players launch tokens in turn. Throws `LoadError` if the server rejects a launch. */
async function launchTokens(
  players: readonly Player[],
  count: number,
  { seed, signal }: { readonly seed: string; readonly signal: AbortSignal },
): Promise<void> {
  const stories = new StoryTeller(createRandom(`${seed}/stories`))
  for (let index = 0; index < count && !signal.aborted; index++) {
    const player = players[index % players.length] as Player
    const story = stories.tell()
    const outcome = await player.place(
      { kind: 'launch', userId: player.userId, story, initialBuy: INITIAL_BUY },
      signal,
    )
    if (outcome.kind === 'refused') throw new LoadError(`A token could not be launched: ${outcome.code}.`)
  }
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
    await sleep(REST_MS)
    return step
  })
  out.write(formatLimit(limit))
}

async function assertServer(url: string): Promise<void> {
  const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(HEALTH_MAX_MS) }).catch(
    () => null,
  )
  if (response?.ok) return
  throw new LoadError(`No Papermoon server responds at ${url}. Start one with npm start, or give its URL with --url.`)
}

interface OpenParts {
  readonly signal: AbortSignal
  readonly progress: Progress
}

async function openAll(args: LoadArguments, { signal, progress }: OpenParts): Promise<Player[]> {
  const { url, players: count, keysFile } = args
  const verb = keysFile === null ? 'registered' : 'signed in'
  const onProgress = (done: number) => progress.say(`${verb} ${done} of ${count} players`)
  const options = { url, signal, onProgress }
  const players =
    keysFile === null ? await registerPlayers(count, options) : await openPlayers(keysFile, count, options)
  progress.end()
  return signal.aborted ? [] : players
}
