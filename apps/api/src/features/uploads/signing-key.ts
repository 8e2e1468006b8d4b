import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isNoSuchFile } from './file-errors.ts'

const KEY_BYTES = 32

/** The key in a file, made at first use; two that make it at once get the same. */
export async function loadSigningKey(path: string): Promise<Buffer> {
  const found = await readFile(path).catch((error: unknown) => {
    if (isNoSuchFile(error)) return null
    throw error
  })
  if (found !== null) return found
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await writeFile(draft, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600, flush: true })
  // A link never replaces: whoever comes second keeps the first one's key.
  await link(draft, path).catch(() => {})
  await unlink(draft)
  return await readFile(path)
}
