import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { provideNginx, provideReplication } from './lib/programs/replication.mjs'
import { fail, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/**
 * `npm run chaos:ha`: the shortest faults of a replicated PostgreSQL, and nginx in front of nodes. Fails where a program is
 * missing, so that CI cannot skip them.
 */
requireNode()
const missing = [...(await provideReplication()), ...((await provideNginx()) ? [] : ['nginx'])]
if (missing.length > 0) fail(`These packages are missing: apt-get install ${missing.join(' ')}`)
await install()
const suites = [
  { folder: 'packages/deploy', args: ['test/programs/nginx.test.ts'] },
  { folder: 'apps/api', args: ['--config', 'chaos.config.ts', 'test/chaos/ha.chaos.ts'] },
]
const codes = []
for (const { folder, args } of suites) {
  const cwd = join(root, folder)
  const cli = join(cwd, 'node_modules', 'vitest', 'vitest.mjs')
  codes.push((await run(productNode(), [cli, 'run', ...args], { cwd })).code)
}
process.exit(Math.max(...codes))
