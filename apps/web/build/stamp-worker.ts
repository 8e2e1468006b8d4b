import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const SHELL = ['offline.html', 'offline.js']
const HASH_CHARS = 12

/**
 * Puts a hash of the shell's files into the service worker, because browsers install a worker again only when its bytes
 * change.
 */
export function stampWorker(): Plugin {
  return {
    name: 'stamp-worker',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error('the build writes to no folder')
      const hash = createHash('sha256')
      for (const file of SHELL) hash.update(await readFile(join(dir, file)))
      const path = join(dir, 'sw.js')
      const worker = await readFile(path, 'utf8')
      await writeFile(path, worker.replace('__SHELL_HASH__', hash.digest('hex').slice(0, HASH_CHARS)))
    },
  }
}
