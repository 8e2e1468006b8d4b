import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { environment, readJson, root } from './lib/project.mjs'
import { supervise } from './lib/run.mjs'
import { isWebBuilt, startWebBuild } from './lib/web-build.mjs'

/** Starts the product. The server prepares its database while the pages are built, and listens when both are done. */
requireNode()
await install({ isForProduct: true })
const build = isWebBuilt() ? null : startWebBuild()
// When this process exits, the channel closes and the server stops.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
// Keeping compiled modules between starts saves a third of the start-up time.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'papermoon-start'), ...environment }
// Bounds garbage: with Node's default, a process under load holds 100 MB more, and each collection takes longer.
const flags = readJson(join(root, 'apps', 'api', 'node-flags.json'))
const args = [...flags, 'apps/api/src/server.ts', ...(build ? ['--after-build'] : [])]
const [code] = await supervise([{ command: productNode(), args, options: { stdio, env }, onStart: tellWhenBuilt }])
build?.stop()
process.exit(code)

function tellWhenBuilt(server) {
  build?.done.then(({ code: buildCode, output }) => {
    if (!server.connected) return
    if (buildCode === 0) return server.send('built')
    process.stderr.write(`${output}\nThe build failed; see its output above.\n`)
    server.send('not built')
  })
}
