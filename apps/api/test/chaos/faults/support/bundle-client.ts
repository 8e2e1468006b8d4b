import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url))

/** The client's modules as they are packed, in a folder of their own. */
export async function bundleClient(): Promise<{ readonly path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-bundle-'))
  const pnpm = join(ROOT, 'node_modules/.bin/pnpm')
  await promisify(execFile)(pnpm, ['run', 'bundle', '--out', folder], { cwd: join(ROOT, 'packages/client') })
  return { path: join(folder, 'node.js'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
