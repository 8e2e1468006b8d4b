import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { get } from './rest-player.ts'

const ASK_EVERY_MS = 200

/** What guests got from a server without its database. */
export interface ReadsSeen {
  /** Cached queries: answers, and those of them marked as stale. */
  served: number
  old: number
  /** Uncached queries: 503 with Retry-After. */
  refused: number
  /** `/readyz` reported that the database cannot be reached. */
  notReady: number
}

/** Addresses that guests read all the time, so they are cached. */
export function keptPaths(tokenId: number): string[] {
  return [
    '/api/tokens',
    `/api/tokens/${tokenId}`,
    `/api/tokens/${tokenId}/trades`,
    `/api/tokens/${tokenId}/holders`,
    `/api/charts/${tokenId}`,
    '/api/leaderboard',
  ]
}

/** Guests who read in a loop, and what they got so far. */
export interface Guests {
  readonly seen: ReadsSeen
  /** Stops; resolves with the last answer, rejects at the first broken promise. */
  leave(): Promise<void>
  /** Rejects at the first broken promise, and never resolves before they leave. */
  readonly asking: Promise<unknown>
}

/**
 * Starts guests who read all the time. Promises: cached queries are answered, others are answered or 503 with
 * Retry-After, the process answers, and nobody waits too long.
 */
export function sendGuests(url: string, paths: readonly string[]): Guests {
  const seen: ReadsSeen = { served: 0, old: 0, refused: 0, notReady: 0 }
  let isOver = false
  const repeat = async (ask: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !isOver; turn++) await Promise.all([ask(turn), sleep(ASK_EVERY_MS)])
  }
  const asking = Promise.all([
    ...paths.map((path) => repeat(() => readKept(`${url}${path}`, seen))),
    repeat((turn) => readUnknown(`${url}/api/tokens?search=never-asked-${turn}`, seen)),
    repeat(() => probe(url, seen)),
  ])
  asking.catch(() => {}) // Rejects for callers that await it.
  return {
    seen,
    asking,
    leave: async () => {
      isOver = true
      await asking
    },
  }
}

async function readKept(address: string, seen: ReadsSeen): Promise<void> {
  const { status, headers } = await get(address)
  assert.equal(status, 200, `${address} was read before the database went away`)
  seen.served++
  if (headers.has('warning')) seen.old++
}

async function readUnknown(address: string, seen: ReadsSeen): Promise<void> {
  const { status, headers } = await get(address)
  if (status === 200) return // The database was back before it was given up.
  assert.equal(status, 503, address)
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  seen.refused++
}

async function probe(url: string, seen: ReadsSeen): Promise<void> {
  const [alive, ready] = await Promise.all([get(`${url}/healthz`), get(`${url}/readyz`)])
  assert.equal(alive.status, 200, 'the process serves')
  if (ready.status === 503) seen.notReady++
}

/** Waits until a query is fresh again. Throws after too long. */
export async function untilFresh(address: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    const { status, headers } = await get(address)
    if (status === 200 && !headers.has('warning')) return
    await sleep(100)
  }
  throw new Error(`${address} is still old`)
}
