import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../context.ts'
import { NotFoundError } from '../errors.ts'
import { FileTooLargeError, UploadLinkError } from '../features/uploads/errors.ts'
import { pictureNameOf, uploadKeyOf } from '../features/uploads/object-names.ts'
import { UPLOAD_BYTES_MAX } from '../features/uploads/set-profile-picture.ts'
import type { UploadReceiver, UploadTicket } from '../object-store.ts'
import { httpContext } from './call-context.ts'
import { sendFailure } from './failure.ts'

/** Far more than a re-encoded picture takes. */
const PICTURE_BYTES_MAX = 1_048_576
/** The name says the content, so it never changes. */
const CACHE = 'public, max-age=31536000, immutable'

interface UploadRequest {
  Params: { key: string }
  Querystring: { expires?: unknown; signature?: unknown }
}

/** `/objects`: the pictures, and the uploads where no S3 takes them. */
export const objects = fp<{ app: App }>(
  async (root, { app }) => {
    await root.register(
      async (fastify) => {
        fastify.setErrorHandler(sendFailure)
        servePictures(fastify, app)
        if (app.objects.receiver !== null) receiveUploads(fastify, app, app.objects.receiver)
      },
      { prefix: '/objects' },
    )
  },
  { name: 'objects', dependencies: ['@fastify/cookie', 'security'] },
)

function servePictures(fastify: FastifyInstance, app: App): void {
  fastify.get<{ Params: { file: string } }>('/pictures/:file', async (request, reply) => {
    await app.limits.spend(httpContext(app, request, reply), 'read')
    const name = pictureNameOf(request.params.file)
    const bytes = name === null ? null : await app.objects.read(name, PICTURE_BYTES_MAX)
    if (bytes === null) throw new NotFoundError('There is no such picture.')
    return reply.header('cache-control', CACHE).type('image/webp').send(bytes)
  })
}

function receiveUploads(fastify: FastifyInstance, app: App, receiver: UploadReceiver): void {
  fastify.removeAllContentTypeParsers()
  // Bytes as they come, whatever they are called: what they are is looked at when they are used.
  fastify.addContentTypeParser('*', (_request, body, done) => done(null, body))
  fastify.put<UploadRequest>('/uploads/:key', {
    onRequest: async (request, reply) => {
      await app.limits.spend(httpContext(app, request, reply), 'write')
      await receiver.assertTicket(ticketOf(request.params.key, request.query), app.clock.now())
      if (Number(request.headers['content-length'] ?? 0) > UPLOAD_BYTES_MAX) throw new FileTooLargeError()
    },
    handler: async (request, reply) => {
      const { key } = ticketOf(request.params.key, request.query)
      const body = request.body instanceof Readable ? request.body : Readable.from([])
      await receiver.receive(key, body, UPLOAD_BYTES_MAX)
      return reply.code(200).header('cache-control', 'no-store').send()
    },
  })
}

function ticketOf(text: string, { expires, signature }: UploadRequest['Querystring']): UploadTicket {
  const key = uploadKeyOf(text)
  if (key === null || typeof expires !== 'string' || typeof signature !== 'string') throw new UploadLinkError()
  return { key, expires, signature }
}
