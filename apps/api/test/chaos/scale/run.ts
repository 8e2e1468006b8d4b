import { findLastTag, installRelease, type Release } from '../../support/last-release.ts'
import { Players, type PlayersSeen } from './players.ts'
import { ScaledMarket } from './scaled-market.ts'

/** Orders before the first fault. */
const WARM_UP = 50
/** Past it a fault counts as not survived. */
const PLACED_MAX_MS = 120_000

export interface ScalePlan {
  /** Minimum; each fault happens once at least. */
  readonly seconds: number
  /** Prints progress. */
  say(line: string): void
}

/** The longest time without an acknowledged order, from a fault until everything is back. */
export interface Gap {
  readonly fault: string
  readonly seconds: number
}

export interface ScaleSeen extends PlayersSeen {
  readonly gaps: readonly Gap[]
  readonly seconds: number
}

interface Step {
  readonly fault: string
  run(untilPlaced: () => Promise<void>): Promise<void>
}

/** Runs a market at scale under load, while its parts are killed and replaced in turn, and judges what players saw. */
export async function runScale({ seconds, say }: ScalePlan): Promise<ScaleSeen> {
  const release = await findRelease(say)
  const market = await ScaledMarket.start(release?.server, say)
  try {
    for (const line of market.lines) say(line)
    const players = await Players.start(market, say)
    const startMs = performance.now()
    const isOver = () => performance.now() - startMs >= seconds * 1_000
    const gaps: Gap[] = []
    const failure = await sufferAll({ market, players, gaps, say, isOver, from: release?.tag ?? null }).catch(toMessage)
    const lasted = (performance.now() - startMs) / 1_000
    const seen = await players.settle()
    const failures = [...new Set([...(failure === undefined ? [] : [failure]), ...seen.failures])]
    return { ...seen, failures, gaps, seconds: lasted }
  } finally {
    await market.remove()
  }
}

interface Run {
  readonly market: ScaledMarket
  readonly players: Players
  readonly gaps: Gap[]
  say(line: string): void
  isOver(): boolean
  /** The release that the nodes begin with; null: this build. */
  readonly from: string | null
}

/** Each fault in turn, again and again until the time is over. */
async function sufferAll(run: Run): Promise<undefined> {
  const { market, players, isOver, from } = run
  await players.load.until(WARM_UP)
  await suffer(run, { fault: describeReplacement(from), run: () => market.replaceNodes() })
  await players.useThisBuild()
  const kills: readonly Step[] = [
    { fault: 'a node for orders killed', run: () => market.killFollower('orders') },
    { fault: 'a node for reads killed', run: () => market.killFollower('reads') },
    { fault: 'the leading node killed', run: () => market.killLeader() },
    { fault: 'the primary killed', run: (untilPlaced) => market.database.killPrimary(untilPlaced) },
  ]
  const steps = [...kills, { fault: describeReplacement(null), run: () => market.replaceNodes() }]
  for (let turn = 0; turn < kills.length || !isOver(); turn++) {
    const step = steps[turn % steps.length]
    if (step !== undefined) await suffer(run, step)
  }
}

function describeReplacement(from: string | null): string {
  return `all nodes replaced, ${from ?? 'this build'} by this build`
}

async function suffer({ players: { load, watch }, gaps, say }: Run, { fault, run }: Step): Promise<void> {
  const startMs = performance.now()
  // Rejects with whatever broke a player.
  const broken = load.until(Number.POSITIVE_INFINITY)
  const untilPlaced = () => Promise.race([watch.untilAfter(performance.now(), PLACED_MAX_MS), broken])
  // To its end in any case: it starts what it killed.
  await run(untilPlaced)
  await untilPlaced()
  const seconds = watch.findLongestGap(startMs).lengthMs / 1_000
  gaps.push({ fault, seconds })
  say(`${fault}: ${seconds.toFixed(1)} s without an order; ${load.acknowledged.length} orders so far`)
}

/** The last release, installed; null where there is none, or its packages cannot be had. */
async function findRelease(say: (line: string) => void): Promise<Release | null> {
  const tag = await findLastTag()
  if (tag === null) {
    say('there is no tag of a release: the nodes begin with this build')
    return null
  }
  return await installRelease(tag).catch((error: unknown) => {
    say(`${tag} cannot be installed, so the nodes begin with this build: ${toMessage(error)}`)
    return null
  })
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
