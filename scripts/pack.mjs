import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { root } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/** `npm run pack -- NAME`: packs packages/NAME into a file in this folder, which npm can install anywhere. */
const [name = '', to = root] = process.argv.slice(2)
const folder = join(root, 'packages', name)
if (name === '' || !existsSync(folder)) {
  process.stderr.write('npm run pack -- NAME   a package: client, amm, chain or mcp\n')
  process.exit(1)
}
requireNode()
await install()
const { code } = await run('pnpm', ['--dir', folder, 'pack', '--pack-destination', to])
process.exit(code)
