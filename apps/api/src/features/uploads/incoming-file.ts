import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { AppPart } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import type { LocalFile } from '../../storage/object-store.ts'
import { FileTooLargeError, toStorageError } from '../../storage/object-store.ts'

interface Incoming {
  readonly body: Readable
  readonly bytesMax: number
}

function incomingFolder({ platform: { config } }: AppPart<'config'>): string {
  return join(config.dataDir, 'incoming')
}

/**
 * Streams at most `bytesMax` bytes of a body into a temporary file, and passes the file to `use`. The function does not
 * trust the length that the client claims. Deletes the temporary file afterwards. Throws `FileTooLargeError`,
 * `StorageAwayError`, or `BadInputError` for an empty or aborted body.
 */
export async function withIncomingFile<T>(
  app: AppPart<'config' | 'log'>,
  { body, bytesMax }: Incoming,
  use: (file: LocalFile) => Promise<T>,
): Promise<T> {
  const folder = incomingFolder(app)
  const path = join(folder, randomBytes(16).toString('hex'))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    const bytes = await copy(body, file, bytesMax).finally(() => file.close())
    return await use({ path, bytes })
  } catch (error) {
    // Read the rest of the body and ignore it. Closing the connection would lose the response, and an unread body would
    // block the next request.
    body.resume()
    throw toStorageError(error, app.platform.log)
  } finally {
    await rm(path, { force: true }).catch((error: unknown) =>
      app.platform.log.warn({ err: error }, 'an incoming file could not be deleted'),
    )
  }
}

/** Copies a body to a file. Returns the number of bytes that were copied. */
async function copy(body: Readable, file: FileHandle, bytesMax: number): Promise<number> {
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new FileTooLargeError()
      await file.writeFile(chunk)
    }
  } catch (error) {
    throw body.errored === null ? error : new BadInputError('The upload was interrupted. Please try again.')
  }
  if (bytes === 0) throw new BadInputError('The file is empty.')
  return bytes
}

/** Deletes temporary files that a crash left behind. Returns the number of deleted files. */
export async function sweepIncoming(app: AppPart<'config'>, before: Date): Promise<number> {
  const folder = incomingFolder(app)
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found === null || found.mtime >= before) continue
    await rm(join(folder, name), { force: true })
    removed++
  }
  return removed
}
