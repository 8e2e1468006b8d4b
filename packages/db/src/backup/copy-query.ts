import { Readable } from 'node:stream'
import type pg from 'pg'

/** Methods of pg's connection for a copy that its types leave out. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/**
 * A statement that answers with copy data: `copy … to stdout`, BASE_BACKUP or START_REPLICATION. The stream has one Buffer for each
 * message of the protocol. Pass it to `client.query`. Ordinary rows among the answers are kept in `rows`, as text.
 */
export class CopyOutQuery extends Readable {
  /** Rows of results before and after the copy, in order. */
  readonly rows: (string | null)[][] = []
  readonly #text: string
  #connection: CopyConnection | null = null
  readonly #onEnd = () => void this.destroy(new Error('the connection ended'))

  constructor(text: string) {
    super({ objectMode: true, highWaterMark: 64 })
    this.#text = text
  }

  /** Called by pg when it is the statement's turn. */
  submit(connection: pg.Connection): void {
    this.#connection = connection as CopyConnection
    connection.query(this.#text)
    connection.once('end', this.#onEnd)
  }

  /** Sends a message back while both sides copy, as in START_REPLICATION. */
  send(message: Buffer): void {
    this.#connection?.sendCopyFromChunk(message)
  }

  override _read(): void {
    this.#connection?.stream.resume()
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.rows.push(fields)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // pg's parser uses the memory of a message again.
    if (!this.push(Buffer.from(chunk))) this.#connection?.stream.pause()
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.destroy(error)
  }

  handleReadyForQuery(): void {
    this.#connection?.off('end', this.#onEnd)
    this.#connection = null
    this.push(null)
  }
}

/** Sends `chunks` as the input of `copy … from stdin`. */
export async function copyIn(client: pg.Client, text: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.query({
      submit: (connection: pg.Connection) => connection.query(text),
      handleRowDescription: () => {},
      handleCommandComplete: () => {},
      handleError: reject,
      handleReadyForQuery: () => resolve(),
      handleCopyInResponse: (connection: CopyConnection) => {
        sendAll(connection, chunks).catch((error: unknown) => {
          connection.sendCopyFail('the input broke')
          reject(error)
        })
      },
    })
  })
}

async function sendAll(connection: CopyConnection, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) {
    connection.sendCopyFromChunk(chunk)
    if (connection.stream.writableNeedDrain) {
      await new Promise<void>((resolve, reject) => {
        connection.stream.once('drain', resolve)
        connection.stream.once('close', () => reject(new Error('the connection ended')))
      })
    }
  }
  connection.endCopyFrom()
}
