import { Readable } from 'node:stream'
import { userId } from '@papermoon/engine'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { NotFoundError } from '../../errors.ts'
import { drawFace } from '../../features/share/drawing/emoji-picture.ts'
import { UploadLinkError } from '../../features/uploads/errors.ts'
import { assertUploadLink, receiveUpload, type UploadLink } from '../../features/uploads/receive-upload.ts'
import { findPublicUser } from '../../features/users/store.ts'
import { parsePictureName, parseUploadKey } from '../../storage/object-store.ts'
import { createHttpContext } from '../calls/call-context.ts'
import { sendFailure } from '../error-response.ts'

/** Max size of a picture in bytes. No picture that the server encoded is so large. */
const PICTURE_BYTES_MAX = 1_048_576
/** A picture's name is the hash of its content. The picture therefore never changes and can be cached for ever. */
const CACHE = 'public, max-age=31536000, immutable'
/** With this limit for caches, a new picture appears on every page within an hour. */
const FACE_CACHE = 'public, max-age=3600'

interface UploadRequest {
  Params: { key: string }
  Querystring: { signature?: unknown }
}

/** `/objects`: serves pictures and receives uploads. */
export const objects = fp<{ app: App }>(
  async (root, { app }) => {
    await root.register(
      async (fastify) => {
        fastify.setErrorHandler(sendFailure)
        servePictures(fastify, app)
        serveFaces(fastify, app)
        receiveUploads(fastify, app)
      },
      { prefix: '/objects' },
    )
  },
  { name: 'objects', dependencies: ['@fastify/cookie', 'security'] },
)

function servePictures(fastify: FastifyInstance, app: App): void {
  fastify.get<{ Params: { file: string } }>('/pictures/:file', { config: { isOpen: true } }, async (request, reply) => {
    await app.accounts.limits.spend(createHttpContext(app, request, reply), 'read')
    const name = parsePictureName(request.params.file)
    const bytes = name === null ? null : await app.platform.objects.read(name, PICTURE_BYTES_MAX)
    if (bytes === null) throw new NotFoundError('There is no such picture.')
    return reply.header('cache-control', CACHE).type('image/webp').send(bytes)
  })
}

/** `/objects/faces/ID`: serves a player's picture, or a drawing of their emoji or initial. */
function serveFaces(fastify: FastifyInstance, app: App): void {
  fastify.get<{ Params: { id: string } }>('/faces/:id', { config: { isOpen: true } }, async (request, reply) => {
    await app.accounts.limits.spend(createHttpContext(app, request, reply), 'read')
    const id = userId.safeParse(/^[1-9]\d{0,9}$/.test(request.params.id) ? Number(request.params.id) : null).data
    const user = id === undefined ? undefined : await findPublicUser(app.platform.db, id)
    if (user === undefined) throw new NotFoundError('There is no such player.')
    reply.header('cache-control', FACE_CACHE)
    if (user.profilePictureUrl !== null) return reply.redirect(user.profilePictureUrl)
    return reply.type('image/svg+xml').send(drawFace(user))
  })
}

function receiveUploads(fastify: FastifyInstance, app: App): void {
  fastify.removeAllContentTypeParsers()
  // Ignore the content type, because the bytes are checked later, when the upload becomes a picture.
  fastify.addContentTypeParser('*', (_request, body, done) => done(null, body))
  fastify.put<UploadRequest>('/uploads/:key', {
    onRequest: async (request, reply) => {
      await app.accounts.limits.spend(createHttpContext(app, request, reply), 'write')
      await assertUploadLink(app, parseUploadLink(request))
    },
    handler: async (request, reply) => {
      const body = request.body instanceof Readable ? request.body : Readable.from([])
      const header = request.headers['content-length']
      const length = header === undefined ? null : Number(header)
      await receiveUpload(app, { link: parseUploadLink(request), body, length })
      return reply.code(200).header('cache-control', 'no-store').send()
    },
  })
}

function parseUploadLink({ params, query }: FastifyRequest<UploadRequest>): UploadLink {
  const key = parseUploadKey(params.key)
  if (key === null || typeof query.signature !== 'string') throw new UploadLinkError()
  return { key, secret: query.signature }
}
