import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { environment, root } from './lib/project.mjs'
import { runFiles } from './lib/tests/run-files.mjs'

/** `npm run chaos`: the faults of `chaos:short` at full size, or those whose files are named (`kills nodes`). */
const size = { type: 'string' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, rounds: size, seconds: size, clients: size, rate: size, commit: size },
})
const { quick: isQuick, ...sizes } = values
requireNode()
await install()
if (!isQuick) environment.CHAOS = 'large'
for (const [name, value] of Object.entries(sizes)) environment[`CHAOS_${name.toUpperCase()}`] = value
const config = join(root, 'scripts/lib/tests/chaos.config.mjs')
const files = positionals.length > 0 ? positionals : ['test/chaos', 'test/backup/restore-drill']
process.exit(await runFiles({ folder: join(root, 'apps/api'), files }, { options: ['--config', config] }))
