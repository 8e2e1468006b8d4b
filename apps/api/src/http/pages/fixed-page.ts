import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { App } from '../../context.ts'
import { countRead } from '../calls/call-context.ts'
import { chooseEncoding, compress, type Encoding, varyByEncoding } from '../calls/response-cache.ts'
import { sendFailure } from '../error-response.ts'
import { isAllowedHost } from '../security/security.ts'

/** Matches a host name or IP address with an optional port. No other text is written into a page. */
const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?|\[[\da-f:]{2,45}\])(?::\d{1,5})?$/i

/** A document that does not change while the server runs. */
export interface FixedPage {
  readonly type: string
  readonly bodies: Readonly<Record<Encoding | 'identity', Buffer>>
  readonly hash: string
}

const EFFORT = { br: 9, gzip: 9 }

/** Compresses the document once for all its readers. */
export async function createFixedPage(type: string, text: string): Promise<FixedPage> {
  const identity = Buffer.from(text)
  const [br, gzip] = await Promise.all([compress(identity, 'br', EFFORT), compress(identity, 'gzip', EFFORT)])
  const hash = createHash('sha256').update(identity).digest('base64url')
  return { type, bodies: { identity, br, gzip }, hash }
}

/** A document that contains the server's own URL. */
interface OwnAddressPage {
  readonly path: string
  readonly create: (origin: string) => Promise<FixedPage>
  /** Throws an error if the request is invalid. */
  readonly check?: (request: FastifyRequest) => void
}

/**
 * Returns a function that serves documents with the server's URL. The function caches at most `pagesMax` documents,
 * because the client chooses the Host header.
 */
export function serveAtOrigins(fastify: FastifyInstance, app: App, pagesMax: number) {
  const { config } = app.platform
  const pages = new Map<string, Promise<FixedPage>>()
  return ({ path, create, check }: OwnAddressPage) =>
    fastify.get(path, {
      config: { isOpen: true },
      errorHandler: sendFailure,
      onRequest: countRead(app),
      handler: async (request, reply) => {
        check?.(request)
        const origin = pageOrigin(request, config) ?? `http://localhost:${config.port}`
        const key = `${origin} ${path}`
        const page = pages.get(key) ?? create(origin)
        pages.set(key, page)
        for (const oldest of pages.keys()) if (pages.size > pagesMax) pages.delete(oldest)
        return sendFixedPage(await page, request, reply)
      },
    })
}

/** Sends a document in a compression that the client accepts, or responds with status 304. */
export function sendFixedPage({ type, bodies, hash }: FixedPage, request: FastifyRequest, reply: FastifyReply) {
  const encoding = chooseEncoding(request.headers['accept-encoding']) ?? 'identity'
  reply
    .header('etag', `"${hash}-${encoding}"`)
    .header('cache-control', 'no-cache')
    .header('vary', varyByEncoding(reply.getHeader('vary')))
  if (request.headers['if-none-match']?.includes(`${hash}-${encoding}`)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(type).send(bodies[encoding])
}

/**
 * Returns the origin for absolute URLs in a page: `PUBLIC_URL`, or the origin from the Host header. The client chooses
 * the Host header. For this reason, pages are cached by origin, and mails never use the Host header. Returns null if
 * the header is not a valid host or is not in `ALLOWED_HOSTS`.
 */
export function pageOrigin(
  request: FastifyRequest,
  { publicUrl, allowedHosts }: Pick<Config, 'publicUrl' | 'allowedHosts'>,
): string | null {
  if (publicUrl !== null) return publicUrl
  const { host } = request.headers
  if (host === undefined || !HOST.test(host) || !isAllowedHost(host, allowedHosts)) return null
  return `${request.protocol}://${host.toLowerCase()}`
}
