import { byFair } from '@papermoon/contract/fairs'
import type { AppOutputs } from '@papermoon/contract/router'
import { type TokenId, tokenId, userId } from '@papermoon/engine'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { CachedKind } from '../../cache/memory.ts'
import type { App } from '../../context.ts'
import { NotFoundError } from '../../errors.ts'
import { readRanking } from '../../features/fairs/ranking.ts'
import type { Card, TokenCard } from '../../features/share/card.ts'
import { SharePainter } from '../../features/share/share-painter.ts'
import { parsePictureName } from '../../storage/object-store.ts'
import { countRead } from '../calls/call-context.ts'
import { callAsGuest, type Guest } from '../calls/guest-call.ts'
import { sendFailure } from '../error-response.ts'
import {
  boardCard,
  homeCard,
  parseAt,
  playerCard,
  resultCard,
  stickerCard,
  tokenCard,
  toMarkedName,
  winCard,
} from './cards.ts'

/** Cache pictures only for a short time, because their numbers change. */
const CACHE = 'public, max-age=60'
const PICTURE_BYTES_MAX = 1_048_576
const AVATAR_PX = 296

type Parts = { Params: { id: string } }

/** `/og`: serves pictures for link previews (Open Graph), drawn on the server. */
export const ogPictures = fp<{ app: App }>(
  async (root, { app }) => {
    const painter = new SharePainter(app.market.memory)
    root.addHook('onClose', () => painter.close())
    await root.register(
      async (fastify) => {
        fastify.setErrorHandler(sendFailure)
        servePictures(fastify, app, painter)
      },
      { prefix: '/og' },
    )
  },
  { name: 'og-pictures', dependencies: ['security'] },
)

function servePictures(fastify: FastifyInstance, app: App, painter: SharePainter): void {
  const send = async (card: Card, request: FastifyRequest, reply: FastifyReply) => {
    const etag = `"${painter.toName(card)}"`
    reply.header('etag', etag).header('cache-control', CACHE)
    // Let other sites embed the picture.
    reply.header('cross-origin-resource-policy', 'cross-origin')
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    try {
      const png = await painter.paint(request.ip, card, () => loadProfilePicture(app, card))
      return await reply.type('image/png').send(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
    } catch (error) {
      reply.removeHeader('etag').header('cache-control', 'no-store')
      throw error
    }
  }
  // Count a read here, because this route calls no procedure. The other routes call procedures, which count themselves.
  fastify.get('/home.png', { onRequest: countRead(app) }, (request, reply) => send(homeCard, request, reply))
  fastify.get('/leaderboard.png', async (request, reply) => {
    const board = await callAsGuest(toGuest(app, request, reply), 'leaderboard.get', undefined)
    return send(boardCard(board), request, reply)
  })
  fastify.get<Parts>('/token/:id.png', async (request, reply) => {
    const id = toTokenId(request.params.id)
    const guest = toGuest(app, request, reply)
    const token = await callAsGuest(guest, 'tokens.get', { id })
    const at = parseAt(request.query)
    if (at !== null) return send(await getMomentCard(guest, token, at), request, reply)
    const chart = await callAsGuest(guest, 'tokens.chart', { id, timeframe: '24H' })
    return send(tokenCard(token, chart, app.platform.clock.now()), request, reply)
  })
  fastify.get<Parts>('/user/:id.png', async (request, reply) => {
    const id = toUserId(request.params.id)
    const guest = toGuest(app, request, reply)
    const profile = await callAsGuest(guest, 'users.profile', { id })
    const record = await callAsGuest(guest, 'users.launchRecord', { id })
    return send(playerCard(profile, record), request, reply)
  })
  serveWins(fastify, app, send)
}

/** Sends a card as a picture. */
type Send = (card: Card, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Serves `/og/fair/ID/PLAYER.png` for a public result in a fair, `/og/win/TOKEN/PLAYER.png` for a win of more than 10
 * %, `/og/closed/…` for every closed position, and `/og/sticker/ID/PLAYER.png` for a sticker. All text in a picture
 * comes from the database, not from the URL.
 */
function serveWins(fastify: FastifyInstance, app: App, send: Send): void {
  fastify.get<{ Params: ClosedParams }>('/win/:token/:user.png', async (request, reply) => {
    const { win } = await callAsGuest(toGuest(app, request, reply), 'users.closedWin', parseClosed(request.params))
    return send(winCard({ ...assertFound(win), isRugged: false }), request, reply)
  })
  fastify.get<{ Params: ClosedParams }>('/closed/:token/:user.png', async (request, reply) => {
    const guest = toGuest(app, request, reply)
    const { position } = await callAsGuest(guest, 'users.closedPosition', parseClosed(request.params))
    return send(winCard(assertFound(position)), request, reply)
  })
  fastify.get<{ Params: { fair: string; user: string } }>('/fair/:fair/:user.png', async (request, reply) => {
    const id = assertFound(byFair.safeParse({ id: parseId(request.params.fair) }).data).id
    const player = toUserId(request.params.user)
    // Make the call as a guest, because a guest cannot see rooms.
    const fair = await callAsGuest(toGuest(app, request, reply), 'fairs.get', { id })
    const { entrants, isFinal } = await readRanking(app, fair)
    const result = entrants.find((entrant) => entrant.userId === player && isFinal && fair.state === 'settled')
    return send(resultCard(fair, assertFound(result), entrants.length), request, reply)
  })
  fastify.get<{ Params: { sticker: string; user: string } }>('/sticker/:sticker/:user.png', async (request, reply) => {
    const id = toUserId(request.params.user)
    const guest = toGuest(app, request, reply)
    const { stickers } = await callAsGuest(guest, 'stickers.list', { id })
    const sticker = stickers.find((one) => one.id === request.params.sticker && one.earnedAt !== null)
    const { user } = await callAsGuest(guest, 'users.profile', { id })
    return send(stickerCard(assertFound(sticker), user), request, reply)
  })
}

interface ClosedParams {
  readonly token: string
  readonly user: string
}

function parseClosed({ token, user }: ClosedParams) {
  return { tokenId: toTokenId(token), userId: toUserId(user) }
}

const momentCards: CachedKind<TokenCard> = { name: 'moment card', sizeKb: () => 1 }

/**
 * Returns the card that shows a token's past. This card never changes, except for the creator's name. Callers are
 * charged more only if the card is not cached. Reading the token also rejects hidden tokens.
 */
async function getMomentCard(
  guest: Guest,
  { id, creator }: AppOutputs['tokens']['get'],
  seq: number,
): Promise<TokenCard> {
  const { memory } = guest.app.market
  const key = `${id} ${seq}`
  const card = memory.find(momentCards, key) ?? (await readMomentCard(guest, id, seq))
  const name = toMarkedName(creator)
  const named = card.creator === name ? card : { ...card, creator: name }
  memory.store(momentCards, key, named)
  return named
}

async function readMomentCard(guest: Guest, tokenId: TokenId, seq: number): Promise<TokenCard> {
  const { token, time } = await callAsGuest(guest, 'past.moment', { tokenId, seq })
  return tokenCard(token, await callAsGuest(guest, 'past.chart', { tokenId, seq, timeframe: '24H' }), time)
}

function toGuest(app: App, request: FastifyRequest, reply: FastifyReply): Guest {
  return { app, ip: request.ip, header: (name, value) => void reply.header(name, value) }
}

/** Parses an id from a URL. Returns null for a sign or a leading zero, so that each id has only one URL. */
function parseId(text: string): number | null {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
}

const toTokenId = (text: string) => assertFound(tokenId.safeParse(parseId(text)).data)
const toUserId = (text: string) => assertFound(userId.safeParse(parseId(text)).data)

function assertFound<T>(found: T | null | undefined): T {
  if (found == null) throw new NotFoundError('There is no such picture.')
  return found
}

/** Loads a player's profile picture as a PNG. Returns null if the player has no picture or it cannot be read. */
async function loadProfilePicture({ platform: { objects, log } }: App, card: Card): Promise<Uint8Array | null> {
  const file = card.kind === 'player' ? card.pictureUrl?.split('/').at(-1) : undefined
  const name = file === undefined ? null : parsePictureName(file)
  if (name === null) return null
  try {
    const bytes = await objects.read(name, PICTURE_BYTES_MAX)
    if (bytes === null) return null
    const { toPng } = await import('../../features/uploads/pictures/encode-picture.ts')
    return await toPng(bytes, AVATAR_PX)
  } catch (error) {
    log.warn({ err: error }, 'a picture is drawn without the player’s own')
    return null
  }
}
