import assert from 'node:assert/strict'
import { connect } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { expect, it } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { startApi } from './support/api-process.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { type Acknowledged, untilAnswered } from './support/load.ts'
import { newMarket } from './support/market-of-players.ts'
import type { Answer, RestOrder, RestPlayer, TradeAnswer } from './support/rest-player.ts'
import { readSize, say } from './support/size.ts'

const OTHERS = 6
/** Concurrent orders of the flooding player, far above the limit of eight. */
const FLOOD = 40

it('a player who floods the market is held to eight orders at a time, and every order of everybody else succeeds', async () => {
  const ordersOfEach = readSize('seconds', 1, 30) * 10
  const database = await createTestDatabase()
  const dataDir = makeDataFolder()
  const api = await startApi({ DATABASE_URL: database.connectionString, DATA_DIR: dataDir })
  try {
    const { players, tokens } = await newMarket(api.url, OTHERS + 1, 1)
    const [flooder, ...others] = players
    assert(flooder !== undefined)
    const order = { tokenId: tokens[0] ?? 0, solAmount: '0.001' }
    const flooding = startFlood(flooder, order)
    const placed = await Promise.race([placeInTurn(others, order, ordersOfEach), flooding.failure])
    const { acknowledged, refused } = await flooding.stop()
    await assertExactJournal(() => connect(database.address, { poolMax: 2 }), [...placed, ...acknowledged])
    say(
      `${placed.length} orders of others, all placed; of the flood ${acknowledged.length} placed, ${refused} told 429`,
    )
    expect(refused).toBeGreaterThan(0)
    expect(acknowledged.length).toBeGreaterThan(0)
  } finally {
    await api.end('SIGTERM')
    removeDataFolder(dataDir)
    await database.drop()
  }
})

async function placeInTurn(
  players: readonly RestPlayer[],
  order: RestOrder,
  ordersOfEach: number,
): Promise<Acknowledged[]> {
  const busy: Answer[] = []
  const placeAll = async (player: RestPlayer): Promise<Acknowledged[]> => {
    const placed: Acknowledged[] = []
    for (let turn = 0; turn < ordersOfEach; turn++) {
      placed.push(await untilAnswered({ player, order, key: `other-${turn}`, at: () => undefined }, busy))
    }
    return placed
  }
  return (await Promise.all(players.map(placeAll))).flat()
}

interface Flooding {
  /** Rejects when the flood gets an answer that is neither 200 nor 429; never resolves. */
  readonly failure: Promise<never>
  stop(): Promise<{ acknowledged: Acknowledged[]; refused: number }>
}

function startFlood(player: RestPlayer, order: RestOrder): Flooding {
  const acknowledged: Acknowledged[] = []
  let isOver = false
  let refused = 0
  const lane = async (number: number): Promise<void> => {
    for (let turn = 0; !isOver || refused === 0; turn++) {
      const key = `flood-${number}-${turn}`
      const { status, body } = await player.order(order, key)
      assert(status === 200 || status === 429, `the flood got ${status}: ${String(body)}`)
      if (status === 429) refused++
      else acknowledged.push({ player, order, key, trade: (body as TradeAnswer).trade, wasInterrupted: false })
    }
  }
  const lanes = Promise.all(Array.from({ length: FLOOD }, (_, number) => lane(number)))
  const { promise: failure, reject } = Promise.withResolvers<never>()
  failure.catch(() => {}) // Rejects for callers that await it.
  lanes.catch(reject)
  return {
    failure,
    stop: async () => {
      isOver = true
      await lanes
      return { acknowledged, refused }
    },
  }
}
