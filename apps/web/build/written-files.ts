import { createHash } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const SHELL = ['offline.html', 'offline.js']
const HASH_CHARS = 12
const TEXT = new Set(['.js', '.css', '.html', '.svg', '.json', '.txt', '.webmanifest'])
/** Min size of a file that gets a compressed copy, in bytes. */
const SIZE_MIN = 256

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/**
 * Stamps the service worker, and writes a `.br` and a `.gz` copy of every text file in the build, so that the server
 * never compresses assets. Sends the message `written` to a parent process as soon as the originals exist, because the
 * server sends the original of a file until a compressed copy exists.
 */
export function writtenFiles(): Plugin {
  return {
    name: 'written-files',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error('the build writes to no folder')
      await stampWorker(dir)
      process.send?.('written')
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)))
      await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))))
    },
  }
}

/**
 * Puts a hash of the shell's files into the service worker. Browsers install a worker again only when its bytes change.
 */
async function stampWorker(dir: string): Promise<void> {
  const hash = createHash('sha256')
  for (const file of SHELL) hash.update(await readFile(join(dir, file)))
  const path = join(dir, 'sw.js')
  const worker = await readFile(path, 'utf8')
  await writeFile(path, worker.replace('__SHELL_HASH__', hash.digest('hex').slice(0, HASH_CHARS)))
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < SIZE_MIN) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await Promise.all([
    brotli(content, { params }).then((bytes) => writeWhole(`${path}.br`, bytes)),
    gzipped(content, { level: 9 }).then((bytes) => writeWhole(`${path}.gz`, bytes)),
  ])
}

/** Writes a file atomically, because a running server must never send an incomplete file. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, bytes)
  await rename(`${path}.part`, path)
}
