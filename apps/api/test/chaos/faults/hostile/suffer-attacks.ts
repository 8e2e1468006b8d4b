import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { makeDataFolder, removeDataFolder } from '../../../support/data-folder.ts'
import { startApi } from '../../support/api-process.ts'
import type { Acknowledged } from '../../support/load.ts'
import { type RestPlayer, registerPlayer, type TradeAnswer } from '../../support/rest-player.ts'
import { readFigures } from '../../support/server-figures.ts'
import { assertExactJournal } from '../support/exact-journal.ts'
import { askFrom } from './ask-from.ts'
import { type Attackers, startAttackers } from './attackers.ts'
import type { StrikePlan, Strikes } from './strikes.ts'

const PLAYERS = 20
/** Between two orders of a player: all of them place some hundred a second. */
const PAUSE_MS = 150
const LOOK_EVERY_MS = 1_000
/** Until everything is warm, and a busy server has the memory that it needs. */
const WARM_UP_MS = 5_000
const PEACE_MAX_MS = 30_000

/** What was seen; latencies of the players' orders in ms. */
export interface HostileSeen {
  readonly peaceP99Ms: number
  readonly attackP99Ms: number
  readonly grownMb: number
  readonly orders: number
  /** Strikes begun, in each second on average. */
  readonly perSecond: number
  readonly strikes: Strikes
}

interface Scene {
  readonly url: string
  readonly players: readonly RestPlayer[]
  readonly attackers: Attackers
  readonly tokenId: number
  readonly acknowledged: Acknowledged[]
}

/** Every attack that a client can make, while players trade. Throws where an order is refused or the books are not exact. */
export async function sufferAttacks(plan: StrikePlan): Promise<HostileSeen> {
  const database = await createTestDatabase({ poolMax: 2 })
  const dataDir = makeDataFolder()
  const api = await startApi({ DATABASE_URL: database.connectionString, DATA_DIR: dataDir, RATE_LIMIT: 'on' })
  try {
    const scene = await makeScene(api.url)
    const seen = await measure(scene, plan).finally(() => scene.attackers.leave())
    await assertExactJournal(() => connect(database.address, { poolMax: 2 }), scene.acknowledged)
    return seen
  } finally {
    await api.end('SIGTERM')
    removeDataFolder(dataDir)
    await database.drop()
  }
}

/** Everybody has an address of their own, so that no limit of one meets another. */
async function makeScene(url: string): Promise<Scene> {
  const players = await Promise.all(
    Array.from({ length: PLAYERS }, (_, i) => registerPlayer(url, askFrom(`127.0.2.${i + 1}`))),
  )
  const tokenId = (await players[0]?.launch('Besieged')) ?? 0
  return { url, players, attackers: await startAttackers({ url, tokenId }), tokenId, acknowledged: [] }
}

async function measure(scene: Scene, plan: StrikePlan): Promise<HostileSeen> {
  const attackMs = plan.seconds * 1_000
  await trade(scene, WARM_UP_MS)
  const peaceMs = Math.min(PEACE_MAX_MS, attackMs)
  // Memory is watched in peace, too: to be asked for its metrics costs the server some ms each time.
  const [peace] = await Promise.all([trade(scene, peaceMs), watchMemory(scene.url, peaceMs)])
  const before = (await readFigures(scene.url)).megabytes
  const [attack, { strikes, perSecond }, most] = await Promise.all([
    trade(scene, attackMs),
    scene.attackers.strike(plan),
    watchMemory(scene.url, attackMs),
  ])
  return {
    peaceP99Ms: p99(peace),
    attackP99Ms: p99(attack),
    grownMb: Math.max(0, Math.round(most - before)),
    orders: scene.acknowledged.length,
    perSecond,
    strikes,
  }
}

/** Each player places one order after another; returns how long each was under way. */
async function trade({ players, tokenId, acknowledged }: Scene, ms: number): Promise<number[]> {
  const untilMs = performance.now() + ms
  const latenciesMs: number[] = []
  const play = async (player: RestPlayer): Promise<void> => {
    while (performance.now() < untilMs) {
      const order = { tokenId, solAmount: '0.001' }
      const key = `order-${player.id}-${acknowledged.length}-${latenciesMs.length}`
      const sentMs = performance.now()
      const { status, body } = await player.order(order, key)
      assert.equal(status, 200, `a player's order got ${status}: ${String(body)}`)
      latenciesMs.push(performance.now() - sentMs)
      acknowledged.push({ player, order, key, trade: (body as TradeAnswer).trade, wasInterrupted: false })
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all(players.map(play))
  return latenciesMs
}

/** The most that the server's process held, in MB. */
async function watchMemory(url: string, ms: number): Promise<number> {
  const untilMs = performance.now() + ms
  let most = 0
  while (performance.now() < untilMs) {
    most = Math.max(most, (await readFigures(url)).megabytes)
    await sleep(LOOK_EVERY_MS)
  }
  return most
}

function p99(latenciesMs: readonly number[]): number {
  const sorted = latenciesMs.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN
}
