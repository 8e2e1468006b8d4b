import type { IncomingHttpHeaders } from 'node:http'
import { type Db, withTimeout } from '@papermoon/db'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { readPosition } from '../../events/journal.ts'
import type { LiveFeed } from '../../events/live-feed.ts'
import { hasOtherNodes, SEEN_COOKIE, SEEN_HEADER, type SeenPositions } from './call-context.ts'

/** Matches the cookie of the header `Papermoon-Seen`. */
const SENT_COOKIE = new RegExp(`(?:^|; ?)(?:__Host-)?${SEEN_COOKIE}=([\\d.]*)`)

/** Reads the positions that the caller has seen. The positions are in the header, or in a browser's cookie. */
function readSeenPositions(headers: IncomingHttpHeaders): SeenPositions {
  const sent = headers[SEEN_HEADER]
  return parseSeenPositions(typeof sent === 'string' ? sent : SENT_COOKIE.exec(headers.cookie ?? '')?.[1])
}

/** Lists the markets in which the caller has seen positions that this node lacks. */
function listBehind({ platform, live, market: { fairs } }: App, seen: SeenPositions) {
  const markets = [
    { db: platform.db, feed: live.feed, seen: seen.fairground },
    ...(fairs === undefined ? [] : [{ db: fairs.platform.db, feed: fairs.live.feed, seen: seen.fairs }]),
  ]
  return markets.filter((market) => market.feed.position < market.seen)
}

/** Returns whether this node's response may lack data that the caller saw on another node. */
export function mayLackSeen(app: App, headers: IncomingHttpHeaders): boolean {
  return hasOtherNodes(app) && listBehind(app, readSeenPositions(headers)).length > 0
}

/**
 * Makes a read wait until this node has the positions that the caller saw on another node. After at most a second,
 * responds anyway and marks the response as stale.
 */
export const readYourWrites = fp<{ app: App }>(
  async (fastify, { app }) => {
    if (!hasOtherNodes(app)) return
    fastify.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'GET' || !mayLackSeen(app, request.headers)) return
      // Count a read, so that a client with made-up positions cannot check the journal for free.
      const header = (name: string, value: string) => void reply.header(name, value)
      await app.accounts.limits.spend({ ip: request.ip, header }, 'read')
      const markets = listBehind(app, readSeenPositions(request.headers))
      const caughtUp = await Promise.all(markets.map((market) => catchUpWithSeen(market, market.seen)))
      if (caughtUp.every(Boolean)) return
      reply.header('warning', '110 - "Response is Stale"')
    })
  },
  { name: 'read-your-writes' },
)

const WAIT_MAX_MS = 1_000

/** Parses the `Papermoon-Seen` header. Invalid parts of the header are ignored. */
function parseSeenPositions(text: string | undefined): SeenPositions {
  const [, fairground = 0, fairs = 0] = /^(\d{1,15})\.(\d{1,15})$/.exec(text ?? '') ?? []
  return { fairground: Number(fairground), fairs: Number(fairs) }
}

/**
 * Reads events from the journal that the caller knows but this node lacks. The promise resolves to false if the read
 * fails or takes longer than a second. Positions past the journal's end are ignored.
 */
async function catchUpWithSeen(
  { db, feed }: { readonly db: Db; readonly feed: LiveFeed },
  seen: number,
): Promise<boolean> {
  const catchUp = async () => {
    const wanted = Math.min(seen, await readPosition(db))
    await feed.catchUp(wanted)
    return feed.position >= wanted
  }
  return await withTimeout(catchUp(), WAIT_MAX_MS).catch(() => false)
}
