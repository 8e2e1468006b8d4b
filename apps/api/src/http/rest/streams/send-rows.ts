import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { BOUNDS } from '@papermoon/contract/bounds'
import type { UserId } from '@papermoon/engine'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../context.ts'
import { HistoryBusyError } from '../../../database/journal-queue.ts'
import { ApiError } from '../../../errors.ts'
import { getFair } from '../../../features/fairs/store.ts'
import { toNetworkKey } from '../../../security/client-address.ts'
import { chooseEncoding, type Encoding, varyByEncoding } from '../../calls/response-cache.ts'
import { boundStream, DownloadSlots } from '../../files/download-slots.ts'
import { Counter } from '../../sockets/connection-limits.ts'
import type { RowFormat } from './formats.ts'
import type { RowStream } from './row-streams.ts'

/** The IP address already has the max number of row streams. */
export class TooManyStreamsError extends ApiError {
  readonly code = 'RATE_LIMITED'
  override readonly retryAfterS = 10
  override readonly details
  constructor(streamsMax: number) {
    super(
      `At most ${streamsMax} exports (CSV or NDJSON) at a time from one address. Please try again once one has ended.`,
    )
    this.details = { limit: 'exports', maximum: streamsMax }
  }
}

/** Max number of concurrent streams per node and per network. */
const STREAMS_MAX = 8
export const STREAMS_PER_ADDRESS_MAX = BOUNDS.filesPerAddress
const BYTE_ORDER_MARK = '\uFEFF'
/** Number of reads as which a stream counts in the rate limit, in addition to the call. */
const READS = 20

/** Compressors with the fastest level of each encoding, as for other responses. */
const COMPRESSORS: Readonly<Record<Encoding, () => NodeJS.ReadWriteStream>> = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: () => createGzip({ level: 1 }),
}

interface Job {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly rows: RowStream
  readonly format: RowFormat
  /** The input after validation. */
  readonly input: unknown
  /** The app whose market contains the rows. The caller was checked before. */
  readonly app: App
  /** The player who makes the call. The player is null for a guest. */
  readonly userId: UserId | null
}

/**
 * Streams complete lists as lines, a few lists at a time. Each page is read by its own statement, so that no
 * transaction waits for a client.
 */
export class RowSender {
  readonly #app: App
  readonly #slots: DownloadSlots
  /** Number of open streams of each network. */
  readonly #open = new Counter()

  constructor(app: App) {
    this.#app = app
    this.#slots = new DownloadSlots(app.platform.clock, STREAMS_MAX)
  }

  /** Streams the rows of a list. Throws `RateLimitedError`, `TooManyStreamsError` and `HistoryBusyError`. */
  async send({ request, reply, rows, format, input, app, userId }: Job): Promise<FastifyReply> {
    const encoding = rows.isOwn ? null : chooseEncoding(request.headers['accept-encoding'])
    const name = await this.#nameFile(rows, input)
    reply
      .type(format.contentType)
      .header('content-disposition', `attachment; filename="papermoon-${name}.${format.fileEnding}"`)
      .header('vary', varyByEncoding(reply.getHeader('vary')))
    // Start no stream for a HEAD request. Some programs send a HEAD request before they read.
    if (request.method === 'HEAD') return reply.send(Readable.from([]))
    const header = (name: string, value: string) => void reply.header(name, value)
    await this.#app.accounts.limits.spend({ ip: request.ip, header }, 'read', READS)
    const network = toNetworkKey(request.ip)
    if (this.#open.count(network) >= STREAMS_PER_ADDRESS_MAX) throw new TooManyStreamsError(STREAMS_PER_ADDRESS_MAX)
    const stream = this.#slots.open(this.#write(request.ip, { rows, format, input, app, userId }))
    if (stream === null) throw new HistoryBusyError()
    boundStream(stream, reply, { wasFound: userId !== null })
    stream.once('close', this.#open.add(network))
    stream.once('error', (error) => request.log.warn({ err: error, list: rows.name }, 'a stream of rows broke off'))
    if (encoding === null) return reply.send(stream)
    reply.header('content-encoding', encoding)
    // If the stream breaks off, the code above logs this, and the response ends here.
    return reply.send(pipeline(stream, COMPRESSORS[encoding](), () => {}))
  }

  /**
   * Returns a file name with letters that every system accepts, such as `trades`. For a list of a fair, the file name
   * begins with the fair's name, such as `Friday-evening-trades`.
   */
  async #nameFile({ name, fairOf }: RowStream, input: unknown): Promise<string> {
    if (fairOf === undefined) return name
    const fair = await getFair(this.#app.platform.db, fairOf(input))
    const plain = fair.name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
    return `${plain.match(/[A-Za-z0-9]+/g)?.join('-') ?? `fair-${fair.id}`}-${name}`
  }

  async *#write(ip: string, job: Omit<Job, 'request' | 'reply'>): AsyncGenerator<string> {
    const { rows, format, input, app, userId } = job
    const head = format.head(rows.columns)
    // Add the byte order mark, because Excel otherwise reads UTF-8 as Latin-1. pandas and DuckDB ignore the mark.
    if (head !== '') yield rows.fairOf === undefined ? head : `${BYTE_ORDER_MARK}${head}`
    for await (const page of rows.open({ app, ip, userId }, input)) {
      if (page.length > 0) yield format.rows(page, rows.columns)
    }
  }
}
