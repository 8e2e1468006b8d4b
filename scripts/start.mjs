import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { run, supervise } from './lib/run.mjs'

requireNode()
await install()
const build = await run('turbo', ['run', 'build', '--output-logs=errors-only'], { isQuiet: true })
if (build.code !== 0) {
  process.stderr.write(`${build.output}\nThe build failed; its output stands above.\n`)
  process.exit(build.code)
}
// The channel tells the server when we are gone.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
const [code] = await supervise([{ command: productNode(), args: ['apps/api/src/server.ts'], options: { stdio } }])
process.exit(code)
