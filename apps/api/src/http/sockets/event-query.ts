import { eventStreamInput } from '@papermoon/contract/live'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { FastifyRequest } from 'fastify'
import type { App, Context } from '../../context.ts'
import { CrossOriginError } from '../../errors.ts'
import { OTHER_MARKET } from '../../events/stream/event-cursors.ts'
import { DEFAULT_FILTER } from '../../events/stream/event-filter.ts'
import { chooseMarket, type FairMarket } from '../../features/fairs/choose-market.ts'
import type { WantedEvents } from '../../features/live/follow-events.ts'
import { findViewer } from '../../features/talk/blocked-players.ts'
import { findUserId } from '../../trpc.ts'
import { createBadInput, listFieldErrors, toFieldError } from '../../validation/messages.ts'
import { parseBearer } from '../calls/bearer.ts'
import { assertQuery, readQuery } from '../rest/input.ts'
import { sameOriginGuard } from '../security/security.ts'

const CURSOR_EXPECTED = 'must be a cursor: the id of an event of /api/events, or the cursor of a message of /ws'

/** The events that a request wants, and their market. */
export interface WantedStream extends WantedEvents {
  readonly market: FairMarket
  /** Whether the caller's session or API key identified a player. */
  readonly wasFound: boolean
}

/**
 * Reads the query, and `Last-Event-ID`, which is newer than `after` in the URL. Throws `BadInputError`, and
 * `FairNotFoundError` for a fair that the caller may not see. Throws `NotSignedInError` for a caller who requests
 * orders without a key or session, because only their player may see orders.
 */
export async function readEventQuery(
  app: App,
  request: FastifyRequest,
  createContext: () => Context,
): Promise<WantedStream> {
  const { query, headers } = request
  assertQuery(query, Object.keys(eventStreamInput.shape))
  const input = eventStreamInput.safeParse(readQuery(query))
  if (!input.success) throw createBadInput(listFieldErrors(input.error))
  const { tokens = null, fairs = null, types, after } = input.data
  const kinds = types === undefined ? DEFAULT_FILTER.kinds : new Set(types)
  const market =
    fairs === null
      ? { app, member: null }
      : await chooseMarket(app, { fairs }, () => findVisitor(createContext(), request))
  const player = kinds.has('order') ? await findVisitor(createContext(), request) : undefined
  if (player === null) throw new NotSignedInError()
  const listener = kinds.has('post') ? await findVisitor(createContext(), request) : null
  const viewer = await findViewer(app.platform.db, listener)
  const lastEventId = headers['last-event-id']
  const hasId = typeof lastEventId === 'string' && lastEventId !== ''
  const text = hasId ? lastEventId : after
  const { cursors } = market.app.live.stream
  const cursor = text === undefined ? null : cursors.parse(text)
  if (text !== undefined && cursor === null) {
    const name = hasId ? 'Last-Event-ID' : 'after'
    throw createBadInput([toFieldError([name], cursors.isOfOther(text) ? OTHER_MARKET : CURSOR_EXPECTED)])
  }
  const wasFound = (player ?? viewer ?? market.member ?? parseBearer(request)) !== null
  return { market, wasFound, filter: { tokens, fairs, kinds, player, viewer }, cursor }
}

/**
 * Finds the player who opens the stream. A session is ignored if a page from another origin sent it, because pages from
 * every origin can open a stream.
 */
async function findVisitor(ctx: Context, request: FastifyRequest): Promise<UserId | null> {
  try {
    if (ctx.apiKey === null) sameOriginGuard(ctx.app.platform.config)(request)
  } catch (error) {
    if (error instanceof CrossOriginError) return null
    throw error
  }
  return await findUserId(ctx)
}
