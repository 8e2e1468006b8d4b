import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { procedures } from '@papermoon/contract'
import { isPublic } from '@papermoon/contract/procedure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createWorkQueue, type WorkQueue } from '../lib/work-queue.ts'

/** Min size of a response to compress, in bytes. Smaller responses fit into one or two packets anyway. */
const COMPRESSED_BYTES_MIN = 2_048
/** Max number of concurrent compressions. Files and name lookups need the remaining threads of Node. */
const RUNNING_MAX = 2
const WAITING_MAX = 32

/**
 * Returns whether every caller gets the same response, because only such responses may be compressed. Otherwise, the
 * length of a compressed response could reveal a caller's secret next to an attacker's text, letter by letter (BREACH).
 */
function isCompressible(path: string): boolean {
  const procedure = procedures.get(path)
  return procedure !== undefined && isPublic(procedure)
}

export type Encoding = 'br' | 'gzip'

/** The compression level for each encoding. */
export type Effort = Readonly<Record<Encoding, number>>

/** The fastest level of each encoding. It compresses 1,000 tokens to a sixth in 4 ms. */
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

/** Compresses responses, a few at a time. */
export class ResponseCompressor {
  readonly #work = createCompressionQueue()
  /** Compressed results of buffers that are sent more than once. Each result is stored as long as its buffer exists. */
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

  /** Returns null if too many bodies are waiting to be compressed. */
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

/** Returns Brotli if the client accepts it, otherwise gzip, otherwise null. */
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

/** Returns the value of a Vary header with accept-encoding added. */
export function varyByEncoding(vary: unknown): string {
  const names = vary === undefined ? [] : String(vary).split(/\s*,\s*/)
  return names.some((name) => name.toLowerCase() === 'accept-encoding')
    ? names.join(', ')
    : [...names, 'accept-encoding'].join(', ')
}
