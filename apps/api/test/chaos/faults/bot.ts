import assert from 'node:assert/strict'
import { formatNumeric } from '@papermoon/db'
import { createTestServer, type TestServer } from '../../support/test-server.ts'
import { type RestPlayer, registerPlayer } from '../support/rest-player.ts'
import type { Fault } from './fault.ts'
import { BotLife, type Fill } from './support/bot-life.ts'
import { bundleClient } from './support/bundle-client.ts'

const ORDERS = 1_000
/** A kill comes this long after an answer at most, so that other orders are under way. */
const KILL_WITHIN_MS = 4
/** Orders that are left at the last kill: on a slow machine some are placed before it comes. */
const LEFT_MIN = 20

interface BotPlan {
  readonly orders: number
  readonly kills: number
  say(line: string): void
}

export interface BotSeen {
  readonly orders: number
  readonly kills: number
  /** Orders that were placed although the bot was killed before it got their answers. */
  readonly unheard: number
  /** Answers that said they were repeats. */
  readonly replayed: number
}

/**
 * Kills a bot at random moments while it places its orders with the packed client. It keeps nothing: each life learns from
 * the server what the others did. Throws unless each order was placed once and the last life knows all fills.
 */
export async function killBot({ orders, kills, say }: BotPlan): Promise<BotSeen> {
  const client = await bundleClient()
  const server = await createTestServer()
  const url = `http://127.0.0.1:${await server.listen()}`
  try {
    const player = await registerPlayer(url)
    const tokenId = await player.launch('Killed')
    await player.order({ tokenId, solAmount: '1' }, 'before')
    const apiKey = await createKey(url, player)
    const program = { client: client.path, url, apiKey, tokenId, orders }
    const moments = Array.from({ length: kills }, () => Math.random() * (orders - LEFT_MIN)).sort((a, b) => a - b)
    const heard = new Set<string>()
    let replayed = 0
    for (const [index, moment] of moments.entries()) {
      const life = new BotLife(program)
      await life.untilKnown(Math.ceil(moment))
      await life.kill(Math.random() * KILL_WITHIN_MS)
      for (const key of life.answered) heard.add(key)
      replayed += life.replayed
      if (index % 10 === 9) say(`kill ${index + 1}: ${heard.size} answers heard`)
    }
    const last = new BotLife(program)
    const fills = await last.finish()
    for (const key of last.answered) heard.add(key)
    await assertEachPlacedOnce({ server, player, orders, fills })
    return { orders, kills, unheard: orders - heard.size, replayed: replayed + last.replayed }
  } finally {
    await server.close()
    client.remove()
  }
}

async function createKey(url: string, { cookie }: RestPlayer): Promise<string> {
  const response = await fetch(`${url}/api/keys`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'killed bot', scopes: ['read', 'trade'] }),
  })
  assert.equal(response.ok, true, 'no key was made')
  return ((await response.json()) as { key: string }).key
}

interface Evidence {
  readonly server: TestServer
  readonly player: RestPlayer
  readonly orders: number
  readonly fills: readonly Fill[]
}

/** Compares what the bot believes with the journal. */
async function assertEachPlacedOnce({ server, player, orders, fills }: Evidence): Promise<void> {
  const rows = await server.database.db
    .selectFrom('trades')
    .select(['request_key', 'seq', 'side', 'sol_amount', 'token_amount'])
    .where('user_id', '=', player.id as never)
    .where('request_key', '!=', 'before')
    .execute()
  const placed = rows.map(({ request_key, seq, side, sol_amount, token_amount }) => ({
    key: request_key,
    seq: Number(seq),
    side,
    solAmount: formatNumeric(sol_amount),
    tokenAmount: formatNumeric(token_amount),
  }))
  const wanted = Array.from({ length: orders }, (_, index) => `bot-${index + 1}`)
  assert.deepEqual(placed.map(({ key }) => key).sort(), wanted.sort(), 'each order was placed exactly once')
  const bySeq = (one: { seq: number }, other: { seq: number }) => one.seq - other.seq
  assert.deepEqual([...fills].sort(bySeq), placed.sort(bySeq), 'the bot knows all its fills')
}

export const bot: Fault = {
  name: 'bot',
  about: 'kill -9 of a bot with the packed client, at random moments among 1,000 orders',
  run: async ({ rounds, isQuick, say }) => {
    const { orders, kills, unheard, replayed } = await killBot({ orders: isQuick ? 100 : ORDERS, kills: rounds, say })
    assert(isQuick || unheard + replayed > 0, 'no order was under way when the bot was killed: this proves nothing')
    return `${kills} kills, ${orders} orders, each placed once; ${unheard} found in the list and ${replayed} by their key, all fills known`
  },
}
