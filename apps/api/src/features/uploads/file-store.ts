import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type {
  ListedObject,
  ListRange,
  ObjectFolder,
  ObjectName,
  ObjectStore,
  UploadKey,
  Validity,
} from '../../object-store.ts'
import { FileTooLargeError } from './errors.ts'
import { isNoSuchFile } from './file-errors.ts'
import { FileReceiver } from './file-receiver.ts'
import { loadSigningKey } from './signing-key.ts'
import { storageFailureOf } from './storage-failure.ts'
import { signUpload } from './upload-signature.ts'

/** Objects as files in a folder of their own; uploads come through this server. */
export class FileStore implements ObjectStore {
  readonly uploadOrigin = null
  readonly uploadRoots = ['objects']
  readonly receiver: FileReceiver
  readonly #folder: string
  readonly #log: Logger
  #secret: Promise<Buffer> | undefined

  /** Nothing is read or written before it is needed. */
  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
    this.receiver = new FileReceiver({ folder: join(folder, 'uploads'), log, secret: () => this.#loadSecret() })
  }

  async signUpload(key: UploadKey, validity: Validity): Promise<string> {
    const secret = await this.#ask(() => this.#loadSecret())
    return `/objects/uploads/${key}?${signUpload(secret, key, validity)}`
  }

  async read(name: ObjectName, bytesMax: number): Promise<Buffer | null> {
    return await this.#ask(async () => {
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
    // A draft that a crash leaves behind lies where the sweep finds it.
    const draft = join(this.#folder, 'uploads', `${randomBytes(16).toString('hex')}.draft`)
    await this.#ask(async () => {
      for (const folder of ['uploads', 'pictures']) await mkdir(join(this.#folder, folder), folderMode)
      await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true })
      await rename(draft, join(this.#folder, name))
    })
  }

  async remove(name: string): Promise<void> {
    await this.#ask(() => rm(join(this.#folder, name), { force: true }))
  }

  async list(folder: ObjectFolder, { after, most }: ListRange): Promise<ListedObject[]> {
    const files = await this.#ask(async () => (await readdir(join(this.#folder, folder)).catch(nullIfMissing)) ?? [])
    const names = files.map((file) => `${folder}${file}`).filter((name) => name > after)
    const listed: ListedObject[] = []
    for (const name of names.sort().slice(0, most)) {
      const found = await stat(join(this.#folder, name)).catch(nullIfMissing)
      if (found !== null) listed.push({ name, modifiedAt: found.mtime })
    }
    return listed
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw storageFailureOf(error, this.#log)
    }
  }

  #loadSecret(): Promise<Buffer> {
    this.#secret ??= loadSigningKey(join(this.#folder, 'signing-key')).catch((error: unknown) => {
      this.#secret = undefined
      throw error
    })
    return this.#secret
  }
}

const folderMode = { recursive: true, mode: 0o700 } as const

function nullIfMissing(error: unknown): null {
  if (isNoSuchFile(error)) return null
  throw error
}
