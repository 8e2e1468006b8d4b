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
  SEEN_COOKIE,
  SEEN_HEADER,
  type Seen,
} from '../../nodes/seen.ts'
import { tokenCookie } from './token-cookies.ts'

/** Needs no decoding: the value has digits, dots and hyphens only. */
const SENT_COOKIE = new RegExp(`(?:^|; ?)(?:__Host-)?${SEEN_COOKIE}=([\\d.-]*)`)

/** Sequence numbers that the caller has seen, from its header or, for browsers, its cookie. */
function readSeen(headers: IncomingHttpHeaders): Seen {
  const sent = headers[SEEN_HEADER]
  if (typeof sent === 'string') return parseSeen(sent)
  return parseSeen(SENT_COOKIE.exec(headers.cookie ?? '')?.[1])
}

/** Whether an answer of this node may lack what the caller has seen on another. */
export function mayLackSeen(app: App, headers: IncomingHttpHeaders): boolean {
  return app.config.lead !== null && isBehindSeen(app.feed, readSeen(headers))
}

/** Lets a read wait until this node has what its caller saw on another; at most a second, then the answer is marked as stale. */
export const readYourWrites = fp<{ app: App }>(
  async (fastify, { app }) => {
    if (app.config.lead === null) return
    fastify.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'GET' || !mayLackSeen(app, request.headers)) return
      if (await catchUpWithSeen(app, readSeen(request.headers))) return
      reply.header('warning', '110 - "Response is Stale"')
    })
  },
  { name: 'read-your-writes' },
)

/** Tells the caller which sequence numbers its order left; undefined on a node that shares its engine with no other. */
export function createSeenNote(
  app: App,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly isCookieAllowed: boolean },
): ((tokenId: number, seq: number) => void) | undefined {
  if (app.config.lead === null) return undefined
  const { request, reply, isCookieAllowed } = exchange
  let seen: Seen | null = null
  return (tokenId, seq) => {
    seen = addSeen(seen ?? readSeen(request.headers), tokenId, seq)
    const text = formatSeen(seen)
    reply.header(SEEN_HEADER, text)
    if (isCookieAllowed) tokenCookie(SEEN_COOKIE, { request, reply, publicUrl: app.config.publicUrl }).set(text)
  }
}
