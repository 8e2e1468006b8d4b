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
/** Needs no decoding: the value has digits, dots and hyphens only. */
const SENT_COOKIE = new RegExp(`(?:^|; ?)(?:__Host-)?${SEEN_COOKIE}=([\\d.-]*)`)

/** What the caller has seen, by their header or, for browsers, their cookie. */
function readSeen(headers: IncomingHttpHeaders): Seen {
  const sent = headers[SEEN_HEADER]
  return parseSeen(typeof sent === 'string' ? sent : SENT_COOKIE.exec(headers.cookie ?? '')?.[1])
}

/** Other nodes may run on a database that this server did not start itself. */
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

/** Whether an answer of this node may lack what the caller has seen on another. */
export function mayLackSeen(app: App, headers: IncomingHttpHeaders): boolean {
  const seen = readSeen(headers)
  return hasOtherNodes(app) && listMarkets(app, seen).some((market) => isBehindSeen(market.feed, market.seen))
}

/** Lets a read wait until this node has what its caller saw on another; at most a second, then the answer is marked as stale. */
export const readYourWrites = fp<{ app: App }>(
  async (fastify, { app }) => {
    if (!hasOtherNodes(app)) return
    fastify.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'GET' || !mayLackSeen(app, request.headers)) return
      // A client with made-up claims pays for each look at the journal.
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

/** Tells the caller what its order left; undefined where there is no other node. */
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
