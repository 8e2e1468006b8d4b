import { type FileHandle, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { BadInputError } from '../../errors.ts'
import type { UploadKey, UploadReceiver, UploadTicket } from '../../object-store.ts'
import { FileTooLargeError, TooManyUploadsError, UploadExistsError } from './errors.ts'
import { isFileThere } from './file-errors.ts'
import { ownerOf } from './object-names.ts'
import { storageFailureOf } from './storage-failure.ts'
import { assertSigned } from './upload-signature.ts'

/** Of one player; each is deleted once it is used, or by the sweep. */
const WAITING_MAX = 8

interface ReceiverParts {
  readonly folder: string
  readonly log: Logger
  /** What addresses are signed with. */
  secret(): Promise<Buffer>
}

/** Takes uploads into files of one folder. */
export class FileReceiver implements UploadReceiver {
  readonly #folder: string
  readonly #parts: ReceiverParts

  constructor(parts: ReceiverParts) {
    this.#folder = parts.folder
    this.#parts = parts
  }

  async assertTicket(ticket: UploadTicket, now: Date): Promise<void> {
    try {
      assertSigned(await this.#parts.secret(), ticket, now)
    } catch (error) {
      throw storageFailureOf(error, this.#parts.log)
    }
  }

  async receive(key: UploadKey, body: Readable, bytesMax: number): Promise<void> {
    try {
      await this.#receive(key, body, bytesMax)
    } catch (error) {
      throw storageFailureOf(error, this.#parts.log)
    }
  }

  async #receive(key: UploadKey, body: Readable, bytesMax: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await this.#assertRoom(key)
    const path = join(this.#folder, key)
    const part = `${path}.part`
    // Made only where there is none: one upload at a time, and none over another.
    const file = await open(part, 'wx', 0o600).catch(refuseSecond)
    try {
      await copy(body, file, bytesMax)
      await link(part, path).catch(refuseSecond)
    } finally {
      await file.close()
      await rm(part, { force: true })
    }
  }

  async #assertRoom(key: UploadKey): Promise<void> {
    const isThere = await stat(join(this.#folder, key)).then(
      () => true,
      () => false,
    )
    if (isThere) throw new UploadExistsError()
    const mine = `${ownerOf(key)}-`
    const waiting = (await readdir(this.#folder)).filter((file) => file.startsWith(mine))
    if (waiting.length >= WAITING_MAX) throw new TooManyUploadsError()
  }
}

function refuseSecond(error: unknown): never {
  throw isFileThere(error) ? new UploadExistsError() : error
}

async function copy(body: Readable, file: FileHandle, bytesMax: number): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new FileTooLargeError()
      await file.writeFile(chunk)
    }
  } catch (error) {
    if (body.errored !== null) throw new BadInputError('The upload was broken off.')
    // A connection cut off would swallow the answer, and one left unread would take no further request.
    body.resume()
    throw error
  }
  if (bytes === 0) throw new BadInputError('The file is empty.')
}
