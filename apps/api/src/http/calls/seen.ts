import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { catchUpWithSeen, formatSeen, parseSeen, type Seen } from '../../events/seen.ts'
import { AnswerCookie, SEEN_COOKIE } from './token-cookies.ts'

const SEEN_HEADER = 'papermoon-seen'
/** Matches the cookie. It needs no decoding, because its value only has digits and a dot. */
const SENT_COOKIE = new RegExp(`(?:^|; ?)(?:__Host-)?${SEEN_COOKIE}=([\\d.]*)`)

/** Reads which versions the caller has seen, from the caller's header or, for browsers, cookie. */
function readSeen(headers: IncomingHttpHeaders): Seen {
  const sent = headers[SEEN_HEADER]
  return parseSeen(typeof sent === 'string' ? sent : SENT_COOKIE.exec(headers.cookie ?? '')?.[1])
}

/** Returns whether other nodes may use the database, which is possible if this server did not start it. */
function hasOtherNodes({ platform: { config } }: App): boolean {
  return config.databaseUrl !== null
}

/** The markets of which a caller has seen more than this node has. */
function listBehind({ platform, live, market: { fairs } }: App, seen: Seen) {
  const markets = [
    { db: platform.db, feed: live.feed, seen: seen.fairground },
    ...(fairs === undefined ? [] : [{ db: fairs.platform.db, feed: fairs.live.feed, seen: seen.fairs }]),
  ]
  return markets.filter((market) => market.feed.position < market.seen)
}

/** Returns whether this node's response may lack something that the caller has seen on another node. */
export function mayLackSeen(app: App, headers: IncomingHttpHeaders): boolean {
  return hasOtherNodes(app) && listBehind(app, readSeen(headers)).length > 0
}

/**
 * Makes a read wait until this node has what its caller saw on another node. Waits at most a second, then the response
 * is marked as stale.
 */
export const readYourWrites = fp<{ app: App }>(
  async (fastify, { app }) => {
    if (!hasOtherNodes(app)) return
    fastify.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'GET' || !mayLackSeen(app, request.headers)) return
      // Count a read, so that a client with made-up versions pays for each check of the journal.
      const header = (name: string, value: string) => void reply.header(name, value)
      await app.accounts.limits.spend({ ip: request.ip, header }, 'read')
      const markets = listBehind(app, readSeen(request.headers))
      const caughtUp = await Promise.all(markets.map((market) => catchUpWithSeen(market, market.seen)))
      if (caughtUp.every(Boolean)) return
      reply.header('warning', '110 - "Response is Stale"')
    })
  },
  { name: 'read-your-writes' },
)

/** Returns a function that tells the caller which versions an order produced; undefined if there is no other node. */
export function createSeenNote(
  app: App,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly isCookieAllowed: boolean },
): (() => void) | undefined {
  if (!hasOtherNodes(app)) return undefined
  const { request, reply, isCookieAllowed } = exchange
  return () => {
    const { fairs } = app.market
    const text = formatSeen({ fairground: app.live.feed.newest, fairs: fairs?.live.feed.newest ?? 0 })
    reply.header(SEEN_HEADER, text)
    if (isCookieAllowed)
      new AnswerCookie(SEEN_COOKIE, { request, reply, publicUrl: app.platform.config.publicUrl }).set(text)
  }
}
