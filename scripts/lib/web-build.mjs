import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFilesBelow } from './files.mjs'
import { productNode } from './node-version.mjs'
import { environment, root } from './project.mjs'

const web = join(root, 'apps', 'web')
const stamp = join(root, 'node_modules', '.papermoon-web-build')
/** Folders whose files are inputs of the build, except tests. */
const folders = [
  'apps/web',
  ...['amm', 'chain', 'client', 'contract', 'format', 'guide', 'live'].map((name) => `packages/${name}`),
]

/** Returns whether apps/web/dist was built from the current sources. */
export function isWebBuilt() {
  const built = describeBuild()
  return built !== null && existsSync(stamp) && readFileSync(stamp, 'utf8') === built
}

/**
 * Builds the pages in the background. `done` resolves to `{ code, output }` when the pages can be served, although
 * their compressed copies may still be incomplete. `stop` ends the build. Do not pass on Ctrl-C, because the terminal
 * also sends it to the build.
 */
export function startWebBuild() {
  const vite = join(web, 'node_modules', 'vite', 'bin', 'vite.js')
  const options = { cwd: web, env: environment, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }
  const child = spawn(productNode(), [vite, 'build'], options)
  const chunks = []
  let isServed = false
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
  const done = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, output: error.message }))
    child.once('message', () => {
      isServed = true
      resolve({ code: 0, output: '' })
    })
    child.once('close', (code) => {
      if (code === 0) writeFileSync(stamp, describeBuild() ?? '')
      // The exit code is null if a signal ended the build.
      else if (isServed && code !== null)
        process.stderr.write(`${Buffer.concat(chunks)}\nThe pages could not be compressed.\n`)
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') })
    })
  })
  return { done, stop: () => child.kill('SIGTERM') }
}

/**
 * Returns a fingerprint of the sources and the build output, or null if there is no build. The fingerprint includes the
 * output, because another tool may have built the output from other sources.
 */
function describeBuild() {
  const page = join(web, 'dist', 'index.html')
  if (!existsSync(page)) return null
  const hash = createHash('sha256')
  for (const path of listSources()) hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return `${hash.digest('hex')} ${statSync(page).mtimeMs}`
}

function listSources() {
  const files = folders.flatMap((folder) => listFilesBelow(join(root, folder)).map((file) => `${folder}/${file}`))
  return [...files.filter((path) => !path.includes('/test/')), 'pnpm-lock.yaml']
}
