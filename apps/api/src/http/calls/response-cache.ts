import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { procedures } from '@papermoon/contract'
import { isPublic } from '@papermoon/contract/procedure'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { CacheHandle } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { createWorkQueue, type WorkQueue } from '../../lib/work-queue.ts'
import { REQUEST_ID_HEADER } from '../create-fastify.ts'
import { acceptsJson } from '../media-quality.ts'
import { mayAcceptRows } from '../rest/streams/formats.ts'
import { mayLackSeen } from './seen.ts'

/** Min size of a response to compress, in bytes. Smaller responses fit into one or two packets anyway. */
const COMPRESSED_BYTES_MIN = 2_048
/** Max number of concurrent compressions. The other threads of Node's pool are needed for files and name lookups. */
const RUNNING_MAX = 2
const WAITING_MAX = 32

/**
 * Returns whether every caller gets the same response, because only such responses may be compressed. With compression,
 * the length of a private response could reveal a secret next to an attacker's text, letter by letter (BREACH).
 */
function isCompressible(path: string): boolean {
  const procedure = procedures.get(path)
  return procedure !== undefined && isPublic(procedure)
}

export type Encoding = 'br' | 'gzip'

/** Compression levels for each encoding. */
export type Effort = Readonly<Record<Encoding, number>>

/** The fastest level of each encoding. This level compresses 1,000 tokens to a sixth in 4 ms. */
const FASTEST: Effort = { br: 1, gzip: 1 }

export function compress(body: Buffer | string, encoding: Encoding, effort: Effort): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: effort.gzip })
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: effort.br } })
}

/** Too many responses are waiting to be compressed. */
export class NoRoomError extends Error {}

/** Creates a queue that runs a few compressions at a time, taking turns between IP addresses. Throws `NoRoomError`. */
export function createCompressionQueue(): WorkQueue {
  return createWorkQueue({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, full: () => new NoRoomError() })
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Compresses responses, only a few at a time. */
export class ResponseCompressor {
  readonly #work = createCompressionQueue()
  /**
   * Compressed results of those buffers that are sent more than once. Each compressed result is stored as long as its
   * buffer exists.
   */
  readonly #compressed = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>()

  /**
   * Compresses the body of a successful response from these procedures, if the client accepts a compression, and sets
   * its headers. The body stays uncompressed if it is small or private, or if too many bodies wait. A buffer, such as
   * one from `jsonBody`, is compressed only once, but a string is compressed each time.
   */
  async compress(
    paths: readonly string[],
    body: Buffer | string,
    { request, reply }: Exchange,
  ): Promise<Buffer | string> {
    if (!isReading(request) || !paths.every(isCompressible)) return body
    // Also set the header for a small response, because the next response from this URL may be large.
    reply.header('vary', varyByEncoding(reply.getHeader('vary')))
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (encoding === null || Buffer.byteLength(body) < COMPRESSED_BYTES_MIN) return body
    const compressed = await this.#compressOnce(request.ip, body, encoding)
    if (compressed === null) return body
    reply.header('content-encoding', encoding)
    return compressed
  }

  /** Returns null if too many bodies wait to be compressed. */
  async #compressOnce(ip: string, body: Buffer | string, encoding: Encoding): Promise<Buffer | null> {
    const known = typeof body === 'string' ? {} : (this.#compressed.get(body) ?? {})
    const result = known[encoding] ?? this.#work(ip, () => compress(body, encoding, FASTEST))
    known[encoding] = result
    if (typeof body !== 'string') this.#compressed.set(body, known)
    try {
      return await result
    } catch (error) {
      if (known[encoding] === result) known[encoding] = undefined
      if (error instanceof NoRoomError) return null
      throw error
    }
  }
}

/** Returns Brotli if the client accepts it, gzip if the client accepts only that, and otherwise null. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding | null {
  if (accepted === undefined) return null
  const codings = String(accepted).toLowerCase().split(',')
  const takes = (name: Encoding) =>
    codings.some((coding) => {
      const [asked = '', ...parameters] = coding.split(';').map((part) => part.trim())
      return asked === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null
}

export function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Adds accept-encoding to the value of a Vary header. */
export function varyByEncoding(vary: unknown): string {
  const names = vary === undefined ? [] : String(vary).split(/\s*,\s*/)
  return names.some((name) => name.toLowerCase() === 'accept-encoding')
    ? names.join(', ')
    : [...names, 'accept-encoding'].join(', ')
}

/** A complete response that can be sent again. */
interface CachedResponse {
  readonly handle: CacheHandle
  /** The shared value from which the body was created. */
  readonly value: object
  /** Number of reads as which the call counts in the rate limit. */
  readonly reads: number
  readonly etag: string | undefined
  /** A list in which names and values of headers alternate. Node can write such a list without copying an object. */
  readonly headers: readonly string[]
  /** The headers of a 304 response, without those that describe a body. */
  readonly headersWithoutBody: readonly string[]
  /** The body in bytes. If the body were a string, Node would encode it for each response. */
  readonly body: Buffer
}

/** A response that is about to be sent, and the output from which it was created. */
interface NewResponse {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly output: unknown
  readonly reads: number
  readonly body: Buffer | string
}

const BYTES_MAX = 64 * 1_048_576
/** Estimated size of an entry in bytes, without the body. The estimate includes the key, headers and objects. */
const OVERHEAD_BYTES = 4_096
/** Max length of a cache key in characters. No real URL needs this much. */
const KEY_CHARS_MAX = 512
export const NOT_MODIFIED = 304

/** Matches headers that differ in every response. */
const COUNTED = /^(ratelimit-|traceresponse$|x-request-id$)/

/**
 * Complete REST responses that are the same for every caller. A response stays valid as long as the query cache still
 * has the value from which it was created. The cache holds at most `BYTES_MAX`, and removes the least recently used
 * response first.
 */
export class ResponseCache {
  readonly #app: App
  readonly #answers = new LRUCache<string, CachedResponse>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ body }) => body.length + OVERHEAD_BYTES,
  })

  /** ETags without `W/`, by encoding and by the value that a response was created from. */
  readonly #tags = new WeakMap<object, Record<string, string>>()

  constructor(app: App) {
    this.#app = app
  }

  /**
   * Sets the ETag of a response that was created from a shared value. The ETag is a hash of the bytes, and is computed
   * once for each value and encoding. Returns whether the client already has this response, because status 304 is then
   * enough.
   */
  validate({ request, reply, output, body }: Omit<NewResponse, 'reads'>): boolean {
    if (typeof output !== 'object' || output === null) return false
    const { queryCache } = this.#app.market
    if (queryCache.findHandle(output) === undefined || queryCache.staleSeconds(output) !== null) return false
    const encoding = String(reply.getHeader('content-encoding') ?? 'identity')
    const known = this.#tags.get(output) ?? {}
    const tag = known[encoding] ?? `"${hash('sha1', body, 'base64url')}"`
    known[encoding] = tag
    this.#tags.set(output, known)
    reply.header('etag', `W/${tag}`)
    return isKnown(request.raw, `W/${tag}`)
  }

  /** Stores a response if it was created from a shared value and contains no data of the caller. */
  store({ request, reply, output, reads, body }: NewResponse): void {
    const value = typeof output === 'object' && output !== null ? output : {}
    const handle = this.#app.market.queryCache.findHandle(value)
    const isMarked = reply.hasHeader('set-cookie') || reply.hasHeader('warning')
    const isForAll = request.headers.authorization === undefined && !isMarked
    const key = toKey(request.raw)
    if (handle === undefined || request.method !== 'GET' || !isForAll || key.length > KEY_CHARS_MAX) return
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const { etag, ...others } = reply.getHeaders()
    const kept = Object.entries({ ...others, etag, 'content-length': bytes.length })
      .filter(([name, text]) => !COUNTED.test(name) && text !== undefined)
      .map(([name, text]) => [name, String(text)])
    this.#answers.set(key, {
      handle,
      value,
      reads,
      etag: etag === undefined ? undefined : String(etag),
      headers: kept.flat(),
      headersWithoutBody: kept.filter(([name]) => !name?.startsWith('content-')).flat(),
      body: bytes,
    })
  }

  /** Returns the valid response to a request, or null. */
  find(request: IncomingMessage): CachedResponse | null {
    const { authorization, accept, host } = request.headers
    // Requests without a host never reach this cache, because the route rejects them.
    if (authorization !== undefined || host === undefined) return null
    if (mayAcceptRows(accept) || !acceptsJson(accept)) return null
    const key = toKey(request)
    const answer = this.#answers.get(key)
    if (answer === undefined) return null
    if (this.#app.market.queryCache.peek(answer.handle) === answer.value) return answer
    this.#answers.delete(key)
    return null
  }
}

/**
 * Returns whether the client already has the response with this weak ETag. The client may send the ETag back as a
 * strong ETag (RFC 9110, 13.1.2).
 */
function isKnown({ headers }: IncomingMessage, etag: string | undefined): boolean {
  const condition = headers['if-none-match']
  if (condition === undefined || etag === undefined) return false
  return condition.trim() === '*' || condition.includes(etag.slice('W/'.length))
}

/**
 * Returns a key that contains everything that a response depends on, except its value. The parts of the key are
 * separated by newlines, because no header can contain one.
 */
function toKey({ headers, url }: IncomingMessage): string {
  return `${headers.host}\n${headers['x-forwarded-host']}\n${chooseEncoding(headers['accept-encoding'])}\n${url}`
}

/**
 * Returns a hook that responds from the cache. Such responses count as reads like all others. The hook runs before
 * those that check requests and add headers, because a cached response already went through them.
 */
export function respondFromCache(app: App, answers: ResponseCache): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.method !== 'GET') return done()
    const cached = mayLackSeen(app, request.headers) ? null : answers.find(request.raw)
    if (cached === null) return done()
    const sent = [REQUEST_ID_HEADER, request.id]
    const header = (name: string, value: string) => void sent.push(name.toLowerCase(), value)
    const answer = () => {
      const isNew = !isKnown(request.raw, cached.etag)
      // Take over the response, because Fastify would otherwise merge its complete headers with others.
      reply.hijack()
      reply.raw.writeHead(isNew ? 200 : NOT_MODIFIED, (isNew ? cached.headers : cached.headersWithoutBody).concat(sent))
      reply.raw.end(isNew ? cached.body : undefined)
    }
    app.accounts.limits.spend({ ip: request.ip, header }, 'read', cached.reads).then(answer, () => done())
  }
}
