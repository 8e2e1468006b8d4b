import type { IncomingHttpHeaders } from 'node:http'
import { isFairToken } from '@papermoon/contract/fairs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import {
  addSeen,
  catchUpWithSeen,
  formatSeen,
  isBehindSeen,
  parseSeen,
  type Seen,
  type SeenNumbers,
} from '../../events/seen.ts'
import { AnswerCookie, SEEN_COOKIE } from './token-cookies.ts'

const SEEN_HEADER = 'papermoon-seen'
/** Matches the cookie. It needs no decoding, because its value only has digits, dots and hyphens. */
const SENT_COOKIE = new RegExp(`(?:^|; ?)(?:__Host-)?${SEEN_COOKIE}=([\\d.-]*)`)

/** Reads which versions the caller has seen, from the caller's header or, for browsers, cookie. */
function readSeen(headers: IncomingHttpHeaders): Seen {
  const sent = headers[SEEN_HEADER]
  return parseSeen(typeof sent === 'string' ? sent : SENT_COOKIE.exec(headers.cookie ?? '')?.[1])
}

/** Returns whether other nodes may use the database, which is possible if this server did not start it. */
function hasOtherNodes({ platform: { config } }: App): boolean {
  return config.databaseUrl !== null
}

/** Splits what a caller has seen by market: the fairground and the other fairs. Leaves out a market without any. */
function listMarkets(app: App, seen: Seen) {
  return [app, ...(app.market.fairs === undefined ? [] : [app.market.fairs])].flatMap((market) => {
    const own = [...seen].filter(([tokenId]) => isFairToken(tokenId) === (market !== app))
    return own.length === 0 ? [] : [{ db: market.platform.db, feed: market.live.feed, seen: new Map(own) }]
  })
}

/** Returns whether this node's response may lack something that the caller has seen on another node. */
export function mayLackSeen(app: App, headers: IncomingHttpHeaders): boolean {
  const seen = readSeen(headers)
  return hasOtherNodes(app) && listMarkets(app, seen).some((market) => isBehindSeen(market.feed, market.seen))
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
      const markets = listMarkets(app, readSeen(request.headers))
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
): ((tokenId: number, numbers: SeenNumbers) => void) | undefined {
  if (!hasOtherNodes(app)) return undefined
  const { request, reply, isCookieAllowed } = exchange
  let seen: Seen | null = null
  return (tokenId, numbers) => {
    seen = addSeen(seen ?? readSeen(request.headers), tokenId, numbers)
    const text = formatSeen(seen)
    reply.header(SEEN_HEADER, text)
    if (isCookieAllowed)
      new AnswerCookie(SEEN_COOKIE, { request, reply, publicUrl: app.platform.config.publicUrl }).set(text)
  }
}
