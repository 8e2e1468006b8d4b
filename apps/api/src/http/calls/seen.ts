import type { IncomingHttpHeaders } from 'node:http'
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

/** Whether an answer of this node may lack what the caller has seen on another. */
export function mayLackSeen(app: App, headers: IncomingHttpHeaders): boolean {
  return hasOtherNodes(app) && isBehindSeen(app.live.feed, readSeen(headers))
}

/** Lets a read wait until this node has what its caller saw on another; at most a second, then the answer is marked as stale. */
export const readYourWrites = fp<{ app: App }>(
  async (fastify, { app }) => {
    if (!hasOtherNodes(app)) return
    fastify.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'GET' || !mayLackSeen(app, request.headers)) return
      if (await catchUpWithSeen({ db: app.platform.db, feed: app.live.feed }, readSeen(request.headers))) return
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
