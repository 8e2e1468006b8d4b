import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, open, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isNoSuchFile } from '../../../storage/file-errors.ts'
import { BackupError } from '../backup-error.ts'
import type { BackupPlace, PlaceFile } from './backup-place.ts'

const DRAFT = '.draft'
/** Room that stays free: the market's own disk may be this one, and PostgreSQL ends when it is full. */
const ROOM_BYTES_MIN = 256 * 1_048_576
const READ_BYTES = 1_048_576
const LOOK_EVERY_BYTES = 16 * 1_048_576

/** Backups in a folder that only its owner can enter. */
export class FolderPlace implements BackupPlace {
  readonly label: string
  readonly #folder: string

  constructor(folder: string) {
    this.label = folder
    this.#folder = folder
  }

  async prepare(): Promise<void> {
    await this.#run(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await chmod(this.#folder, 0o700)
      await this.#assertRoom()
    })
  }

  async write(name: string, content: Readable): Promise<void> {
    await this.#run(async () => {
      const path = join(this.#folder, name)
      const draft = `${path}.${randomBytes(4).toString('hex')}${DRAFT}`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        await this.#assertRoom()
        await pipeline(content, this.#watchRoom(), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
        await rename(draft, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    })
  }

  async read(name: string): Promise<Readable | null> {
    return await this.#run(async () => {
      const file = await open(join(this.#folder, name)).catch((error: unknown) => {
        if (isNoSuchFile(error)) return null
        throw error
      })
      return file?.createReadStream({ highWaterMark: READ_BYTES }) ?? null
    })
  }

  async list(prefix: string): Promise<PlaceFile[]> {
    return await this.#run(async () => {
      const from = join(this.#folder, prefix.slice(0, prefix.lastIndexOf('/') + 1))
      const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
        if (isNoSuchFile(error)) return []
        throw error
      })
      const files: PlaceFile[] = []
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name)
        const name = relative(this.#folder, path).split(sep).join('/')
        if (!entry.isFile() || name.endsWith(DRAFT) || !name.startsWith(prefix)) continue
        const found = await stat(path).catch(() => null)
        if (found) files.push({ name, bytes: found.size, modifiedAt: found.mtime })
      }
      return files.sort((a, b) => (a.name < b.name ? -1 : 1))
    })
  }

  async remove(name: string): Promise<void> {
    await this.#run(async () => {
      await rm(join(this.#folder, name), { force: true })
      // The folder of a backup goes with its last file.
      for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
        const isGone = await rmdir(join(this.#folder, folder)).then(
          () => true,
          () => false,
        )
        if (!isGone) break
      }
    })
  }

  #watchRoom(): Transform {
    let unseen = 0
    return new Transform({
      transform: (data: Buffer, _encoding, done) => {
        unseen += data.length
        if (unseen < LOOK_EVERY_BYTES) return done(null, data)
        unseen = 0
        this.#assertRoom().then(
          () => done(null, data),
          (error: Error) => done(error),
        )
      },
    })
  }

  async #assertRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize < ROOM_BYTES_MIN) throw toNoRoom(this.#folder)
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toBackupError(error, this.#folder)
    }
  }
}

function toBackupError(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT') return toNoRoom(folder)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new BackupError(`This user may not read or write in ${folder}.`)
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') return new BackupError(`${folder} is not a folder.`)
  return error
}

function toNoRoom(folder: string): BackupError {
  return new BackupError(`There is no room left on the disk of ${folder} (256 MB stay free for the market).`)
}

/** A renamed file survives a power cut only once its folder is written. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
