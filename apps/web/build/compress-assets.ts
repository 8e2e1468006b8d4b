import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = new Set(['.js', '.css', '.html', '.svg', '.json', '.txt', '.webmanifest'])
/** Min size of a file that gets a compressed copy, bytes. */
const SIZE_MIN = 256

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/**
 * Writes a `.br` and a `.gz` copy of every text file in the build, so the server never compresses assets. Sends the
 * message `written` to a parent process once the originals exist. The server sends the original file until its copy
 * exists.
 */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error('the build writes to no folder')
      process.send?.('written')
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)))
      await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))))
    },
  }
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

/** Writes a file atomically, because a running server must never send a part of a file. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, bytes)
  await rename(`${path}.part`, path)
}
