import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { startApi } from '../../support/api-process.ts'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import type { Acknowledged } from '../../support/load.ts'
import { type RestPlayer, registerPlayer, type TradeAnswer } from '../../support/rest-player.ts'
import { figuresOf } from '../../support/server-figures.ts'
import type { Fault, FaultPlan } from '../fault.ts'
import { assertExactJournal } from '../support/exact-journal.ts'
import { askFrom } from './ask-from.ts'
import { type Attacker, attacks } from './attacks.ts'

const PLAYERS = 20
const ATTACKERS = 8
/** Between two orders of a player: all of them place some hundred a second. */
const PAUSE_MS = 150
const SLOWDOWN_MAX = 3
const GROWTH_MAX_MB = 100
const LOOK_EVERY_MS = 1_000
/** Until everything is warm, and a busy server has the memory that it needs. */
const WARM_UP_MS = 5_000
const PEACE_MAX_MS = 30_000

type Strikes = Record<string, Record<string, number>>

/** What was seen; latencies of the players' orders in ms. */
export interface HostileSeen {
  readonly peaceP99Ms: number
  readonly attackP99Ms: number
  readonly grownMb: number
  readonly orders: number
  /** Of each attack, how often it got which status; "none" stands for no answer. */
  readonly strikes: Strikes
}

interface Scene {
  readonly url: string
  readonly players: readonly RestPlayer[]
  readonly attackers: readonly Attacker[]
  readonly tokenId: number
  readonly acknowledged: Acknowledged[]
}

/** Every attack that a client can make, while players trade. Throws where an order is refused or the books are not exact. */
export async function sufferAttacks(plan: FaultPlan['attack']): Promise<HostileSeen> {
  const database = await createTestDatabase({ poolMax: 2 })
  const dataDir = makeDataFolder()
  const api = await startApi({ DATABASE_URL: database.connectionString, DATA_DIR: dataDir, RATE_LIMIT: 'on' })
  try {
    const scene = await makeScene(api.url)
    const seen = await measure(scene, plan).finally(() => leave(scene))
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
  const attackers = await Promise.all(
    Array.from({ length: ATTACKERS }, async (_, i): Promise<Attacker> => {
      const address = `127.0.1.${i + 1}`
      const ask = askFrom(address)
      return { url, address, ask, tokenId, account: await registerPlayer(url, ask), held: [] }
    }),
  )
  return { url, players, attackers, tokenId, acknowledged: [] }
}

function leave({ attackers }: Scene): void {
  for (const { held } of attackers) {
    for (const connection of held) 'terminate' in connection ? connection.terminate() : connection.destroy()
  }
}

async function measure(scene: Scene, { seconds, perSecond }: FaultPlan['attack']): Promise<HostileSeen> {
  await trade(scene, WARM_UP_MS)
  const peace = await trade(scene, Math.min(PEACE_MAX_MS, seconds * 1_000))
  const before = (await figuresOf(scene.url)).megabytes
  const strikes: Strikes = {}
  const [attack, , most] = await Promise.all([
    trade(scene, seconds * 1_000),
    strikeFor(scene, { seconds, perSecond, strikes }),
    watchMemory(scene.url, seconds * 1_000),
  ])
  return {
    peaceP99Ms: p99(peace),
    attackP99Ms: p99(attack),
    grownMb: Math.max(0, Math.round(most - before)),
    orders: scene.acknowledged.length,
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

interface Striking {
  readonly seconds: number
  readonly perSecond: number
  readonly strikes: Strikes
}

/** So many strikes a second, each attack and each attacker in turn, whether the ones before are answered or not. */
async function strikeFor({ attackers }: Scene, { seconds, perSecond, strikes }: Striking): Promise<void> {
  const kinds = Object.entries(attacks)
  const startedMs = performance.now()
  const underWay = new Set<Promise<void>>()
  for (let count = 0; count < seconds * perSecond; count++) {
    const waitMs = startedMs + (count * 1_000) / perSecond - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    const kind = kinds[count % kinds.length]
    const attacker = attackers[Math.floor(count / kinds.length) % attackers.length]
    if (kind === undefined || attacker === undefined) break
    const [name, attack] = kind
    const strike = attack(attacker)
      // To be cut off is what they are for.
      .catch(() => null)
      .then((status) => {
        const said = status === null ? 'none' : String(status)
        strikes[name] = { ...strikes[name], [said]: (strikes[name]?.[said] ?? 0) + 1 }
        underWay.delete(strike)
      })
    underWay.add(strike)
  }
  await Promise.all(underWay)
}

/** The most that the server's process held, in MB. */
async function watchMemory(url: string, ms: number): Promise<number> {
  const untilMs = performance.now() + ms
  let most = 0
  while (performance.now() < untilMs) {
    most = Math.max(most, (await figuresOf(url)).megabytes)
    await sleep(LOOK_EVERY_MS)
  }
  return most
}

function p99(latenciesMs: readonly number[]): number {
  const sorted = latenciesMs.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN
}

export const hostile: Fault = {
  name: 'hostile',
  about: 'every attack that a client can make, while twenty players trade',
  run: async ({ attack, say }) => {
    if (process.platform !== 'linux') return 'left out: only Linux has more loopback addresses than one'
    const { peaceP99Ms, attackP99Ms, grownMb, orders, strikes } = await sufferAttacks(attack)
    for (const [name, counts] of Object.entries(strikes)) {
      say(
        `${name}: ${Object.entries(counts)
          .map(([status, count]) => `${status} × ${count}`)
          .join(', ')}`,
      )
    }
    const broken = Object.entries(strikes).filter(([, counts]) => Object.keys(counts).includes('500'))
    const slowdown = attackP99Ms / peaceP99Ms
    const verdicts: readonly [string, boolean][] = [
      [
        `p99 of the players ${attackP99Ms.toFixed(0)} ms, in peace ${peaceP99Ms.toFixed(0)} ms: ${slowdown.toFixed(2)} times (at most ${SLOWDOWN_MAX})`,
        slowdown <= SLOWDOWN_MAX,
      ],
      [`memory ${grownMb} MB more (at most ${GROWTH_MAX_MB})`, grownMb <= GROWTH_MAX_MB],
      [`answers 500: ${broken.map(([name]) => name).join(', ') || 'none'}`, broken.length === 0],
      ['books exact', true],
    ]
    for (const [line, isKept] of verdicts) say(`${isKept ? 'kept' : 'MISSED'}: ${line}`)
    assert(
      verdicts.every(([, isKept]) => isKept),
      'the attacks were felt',
    )
    return `${attack.seconds} s of ${attack.perSecond} requests a second, ${orders} orders of players, all placed; audit exact`
  },
}
