#!/usr/bin/env node
import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode } from './lib/node-version.mjs'
import { environment, readJson, root } from './lib/project.mjs'
import { run, supervise } from './lib/run.mjs'
import { isWebBuilt, startWebBuild } from './lib/web-build.mjs'

/**
 * Runs the operators' program in a checkout: `npm start` and `npm run COMMAND`. Installs what the product needs, then
 * runs apps/api/src/papermoon.ts, which is `papermoon` in the image. `npm run build` only installs and builds, so that a
 * service can start without doing either. `npm run dev` reloads what changes.
 */
const words = process.argv.slice(2)
await install({ isForProduct: words.join() !== 'dev' })
// Set flags, because under load a process with Node's defaults would need 100 MB more, and each garbage collection
// would take longer.
const flags = readJson(join(root, 'apps', 'api', 'node-flags.json'))
const own = { start, build, dev }
process.exit(await (own[words.join()] ?? runCommand)())

async function runCommand() {
  return (await run(productNode(), [...flags, 'apps/api/src/papermoon.ts', ...words])).code
}

/** Starts the server, which prepares its database while the pages are being built, and listens when both are done. */
async function start() {
  const build = isWebBuilt() ? null : startWebBuild()
  // Open an IPC channel. When this process exits, the channel closes and the server stops.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  // Cache compiled modules between starts, which saves a third of the start-up time.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'papermoon-start'), ...environment }
  const args = [...flags, 'apps/api/src/server.ts', ...(build ? ['--after-build'] : [])]
  const onStart = (server) => tellWhenBuilt(server, build)
  const [code] = await supervise([{ command: productNode(), args, options: { stdio, env }, onStart }])
  build?.stop()
  return code
}

async function dev() {
  const cwd = join(root, 'apps', 'web')
  const codes = await supervise([
    { command: productNode(), args: ['--watch', '--watch-preserve-output', 'apps/api/src/server.ts'] },
    { command: productNode(), args: [join(cwd, 'node_modules', 'vite', 'bin', 'vite.js')], options: { cwd } },
  ])
  return Math.max(...codes)
}

async function build() {
  const { code, output } = isWebBuilt() ? { code: 0 } : await startWebBuild().done
  if (code !== 0) process.stderr.write(`${output}\nThe build failed; see its output above.\n`)
  return code
}

function tellWhenBuilt(server, build) {
  build?.done.then(({ code: buildCode, output }) => {
    if (!server.connected) return
    if (buildCode === 0) return server.send('built')
    process.stderr.write(`${output}\nThe build failed; see its output above.\n`)
    server.send('not built')
  })
}
