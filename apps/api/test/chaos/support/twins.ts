import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Acknowledged, untilAnswered } from './load.ts'
import type { PlayersMarket } from './market-of-players.ts'
import type { Answer, RestPlayer } from './rest-player.ts'

/** Together with a load's orders, below the limit of eight per player and node. */
const LANES = 2

/** Players who send each order to two nodes at once, with one key. */
export interface Twins {
  /** Finishes pending orders; returns each order once. */
  stop(): Promise<Acknowledged[]>
  count(): number
}

/** The market's first player sends buys, and sometimes a launch. `stop` throws if two answers differ. */
export function startTwins({ players, tokens }: PlayersMarket, urls: () => readonly string[]): Twins {
  const acknowledged: Acknowledged[] = []
  let count = 0
  let isStopping = false
  const lane = async (player: RestPlayer, number: number): Promise<void> => {
    for (let turn = 0; !isStopping; turn++) {
      if (turn % 5 === 4) await launchTwice(player, `twin-launch-${number}-${turn}`, urls)
      else {
        const order = { tokenId: tokens[turn % tokens.length] ?? 0, solAmount: '0.01' }
        acknowledged.push(await orderTwice({ player, order, key: `twin-${number}-${turn}` }, urls))
      }
      count++
    }
  }
  const twin = players[0]
  assert(twin !== undefined)
  const lanes = Promise.all(Array.from({ length: LANES }, (_, number) => lane(twin, number)))
  lanes.catch(() => {}) // `stop` rejects with it.
  return {
    count: () => count,
    stop: async () => {
      isStopping = true
      await lanes
      return acknowledged
    },
  }
}

type Order = Pick<Parameters<typeof untilAnswered>[0], 'player' | 'order' | 'key'>

/** Expects the same trade from both nodes. */
async function orderTwice(order: Order, urls: () => readonly string[]): Promise<Acknowledged> {
  const unavailable: Answer[] = []
  const sends = [0, 1].map((first) => {
    const at = (tries: number) => urls()[(first + tries) % urls().length]
    return untilAnswered({ ...order, at }, unavailable)
  })
  const [one, other] = await Promise.all(sends)
  assert(one !== undefined && other !== undefined)
  assert.deepEqual(one.trade, other.trade, 'one key, one trade, whichever node is asked')
  return one
}

/** Expects the same token from both nodes. */
async function launchTwice(player: RestPlayer, key: string, urls: () => readonly string[]): Promise<void> {
  const launch = async (first: number) => {
    for (let tries = 0; tries < 500; tries++) {
      const url = urls()[(first + tries) % urls().length]
      const answer = await player.orderLaunch('Twin', key, url).catch(() => null)
      if (answer?.status === 201) return Object(answer.body).id as number
      assert(answer === null || answer.status === 503, `a launch got ${answer?.status}: ${String(answer?.body)}`)
      await sleep(40)
    }
    throw new Error(`launch ${key} was never answered`)
  }
  const [one, other] = await Promise.all([launch(0), launch(1)])
  assert.equal(one, other, 'one key, one token, whichever node is asked')
}
