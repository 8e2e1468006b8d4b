#!/usr/bin/env node
import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { environment, readJson, root } from './lib/project.mjs'
import { run, supervise } from './lib/run.mjs'
import { isWebBuilt, startWebBuild } from './lib/web-build.mjs'

/**
 * Runs the operators' program in a checkout: `npm start` and `npm run COMMAND`. Installs what the product needs, then
 * runs apps/api/src/papermoon.ts, which is `papermoon` in the image.
 */
requireNode()
await install({ isForProduct: true })
// With Node's default flags, a process under load would need 100 MB more, and each garbage collection would take
// longer.
const flags = readJson(join(root, 'apps', 'api', 'node-flags.json'))
const words = process.argv.slice(2)
const [code] = words.join() === 'start' ? await start() : [await runCommand()]
process.exit(code)

async function runCommand() {
  const result = await run(productNode(), [...flags, 'apps/api/src/papermoon.ts', ...words])
  return result.code
}

/** Starts the server, which prepares its database during the build of the pages, and listens when both are done. */
async function start() {
  const build = isWebBuilt() ? null : startWebBuild()
  // When this process exits, the IPC channel closes and the server stops.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  // Cache compiled modules between starts, which saves a third of the start-up time.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'papermoon-start'), ...environment }
  const args = [...flags, 'apps/api/src/server.ts', ...(build ? ['--after-build'] : [])]
  const onStart = (server) => tellWhenBuilt(server, build)
  const codes = await supervise([{ command: productNode(), args, options: { stdio, env }, onStart }])
  build?.stop()
  return codes
}

function tellWhenBuilt(server, build) {
  build?.done.then(({ code: buildCode, output }) => {
    if (!server.connected) return
    if (buildCode === 0) return server.send('built')
    process.stderr.write(`${output}\nThe build failed; see its output above.\n`)
    server.send('not built')
  })
}
