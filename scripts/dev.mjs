import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { root } from './lib/project.mjs'
import { supervise } from './lib/run.mjs'

requireNode()
await install()
const web = join(root, 'apps', 'web')
const codes = await supervise([
  { command: productNode(), args: ['--watch', '--watch-preserve-output', 'apps/api/src/server.ts'] },
  { command: productNode(), args: [join(web, 'node_modules', 'vite', 'bin', 'vite.js')], options: { cwd: web } },
])
process.exit(Math.max(...codes))
