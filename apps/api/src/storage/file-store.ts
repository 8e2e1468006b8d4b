import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ListedObject, ListRange, LocalFile, ObjectFolder, ObjectName, ObjectStore } from './object-store.ts'
import { FileTooLargeError, toStorageError } from './object-store.ts'

export class FileStore implements ObjectStore {
  readonly #folder: string
  readonly #log: Logger

  /** Creates a store. The store reads and writes nothing until it is used. */
  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  async prepare(): Promise<void> {
    await this.#run(() => this.#makeFolders())
  }

  async store(name: ObjectName, { path }: LocalFile): Promise<void> {
    await this.#run(async () => {
      await this.#makeFolders()
      // Both paths are in DATA_DIR, so `rename` does not copy the file.
      await rename(path, join(this.#folder, name))
    })
  }

  async read(name: ObjectName, bytesMax: number): Promise<Buffer | null> {
    return await this.#run(async () => {
      const file = await open(join(this.#folder, name)).catch(nullIfMissing)
      if (file === null) return null
      try {
        const { size } = await file.stat()
        if (size > bytesMax) throw new FileTooLargeError()
        return await file.readFile()
      } finally {
        await file.close()
      }
    })
  }

  async write(name: ObjectName, bytes: Buffer): Promise<void> {
    // Write the draft into `uploads`, because after a crash, a sweep deletes drafts there.
    const draft = join(this.#folder, 'uploads', `${randomBytes(16).toString('hex')}.draft`)
    await this.#run(async () => {
      await this.#makeFolders()
      await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true })
      await rename(draft, join(this.#folder, name))
    })
  }

  async remove(name: string): Promise<void> {
    await this.#run(() => rm(join(this.#folder, name), { force: true }))
  }

  async list(folder: ObjectFolder, { after, most }: ListRange): Promise<ListedObject[]> {
    const files = await this.#run(async () => (await readdir(join(this.#folder, folder)).catch(nullIfMissing)) ?? [])
    const names = files.map((file) => `${folder}${file}`).filter((name) => name > after)
    const listed: ListedObject[] = []
    for (const name of names.sort().slice(0, most)) {
      const found = await stat(join(this.#folder, name)).catch(nullIfMissing)
      if (found !== null) listed.push({ name, modifiedAt: found.mtime })
    }
    return listed
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toStorageError(error, this.#log)
    }
  }

  async #makeFolders(): Promise<void> {
    for (const folder of ['uploads', 'pictures']) await mkdir(join(this.#folder, folder), folderMode)
  }
}

const folderMode = { recursive: true, mode: 0o700 } as const

/** Returns null for a missing file; made for use with `catch`. Throws any other error. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
