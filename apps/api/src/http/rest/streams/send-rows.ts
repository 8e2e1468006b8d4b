import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../context.ts'
import { HistoryBusyError, TooManyStreamsError } from '../../../features/tokens/history/errors.ts'
import { toAddressKey } from '../../../security/networks/client-address.ts'
import { boundStream } from '../../files/bound-stream.ts'
import type { RowFormat } from './formats.ts'
import type { RowStream } from './row-streams.ts'

/** Streams at a time, of a node and of an address. */
const STREAMS_MAX = 8
export const STREAMS_PER_ADDRESS_MAX = 2
/** Reads that a stream counts for, beside the call. */
const READS = 20

interface Job {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly rows: RowStream
  readonly format: RowFormat
  /** Valid already. */
  readonly input: unknown
}

/** Streams whole lists as lines, a few at a time. Each page is a statement of its own: no transaction waits for a client. */
export class RowSender {
  readonly #app: App
  /** Open streams by address. */
  readonly #open = new Map<string, number>()
  #streams = 0

  constructor(app: App) {
    this.#app = app
  }

  /** Throws `RateLimitedError`, `TooManyStreamsError` and `HistoryBusyError`. */
  async send({ request, reply, rows, format, input }: Job): Promise<FastifyReply> {
    const header = (name: string, value: string) => void reply.header(name, value)
    await this.#app.limits.spend({ ip: request.ip, header }, 'read', READS)
    const release = this.#acquire(toAddressKey(request.ip))
    const stream = Readable.from(this.#write(rows, format, input), { objectMode: false })
    boundStream(stream, { request, reply })
    stream.once('close', release)
    stream.once('error', (error) => request.log.warn({ err: error, list: rows.name }, 'a stream of rows broke off'))
    return reply
      .type(format.contentType)
      .header('content-disposition', `attachment; filename="papermoon-${rows.name}.${format.fileEnding}"`)
      .send(stream)
  }

  #acquire(address: string): () => void {
    const open = this.#open.get(address) ?? 0
    if (open >= STREAMS_PER_ADDRESS_MAX) throw new TooManyStreamsError(STREAMS_PER_ADDRESS_MAX)
    if (this.#streams >= STREAMS_MAX) throw new HistoryBusyError()
    this.#streams++
    this.#open.set(address, open + 1)
    return () => {
      this.#streams--
      const left = (this.#open.get(address) ?? 1) - 1
      if (left === 0) this.#open.delete(address)
      else this.#open.set(address, left)
    }
  }

  async *#write(rows: RowStream, format: RowFormat, input: unknown): AsyncGenerator<string> {
    const head = format.head(rows.columns)
    if (head !== '') yield head
    for await (const page of rows.open(this.#app, input)) {
      if (page.length > 0) yield format.rows(page, rows.columns)
    }
  }
}
