import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { fail, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'
import { parseTestArguments } from './lib/tests/find-tests.mjs'
import { runFiles } from './lib/tests/run-files.mjs'

const usage =
  'npm run test:watch -- [FILE…]   the files of one package; without any, the tests of what is not committed'

/** Reruns tests whenever one of their imports is saved. */
requireNode()
const { groups, options, unknown } = parseTestArguments(process.argv.slice(2), { cwd: process.env.INIT_CWD })
if (unknown.length > 0) fail(`No test file matches ${unknown.join(', ')}.\n${usage}`)
if (groups.length > 1) fail(`These are files of ${groups.length} packages; one can be watched at a time.\n${usage}`)
await install()
process.exit(groups.length === 1 ? await runFiles(groups[0], { options, isWatching: true }) : await watchChanges())

async function watchChanges() {
  const vitest = join(root, 'scripts', 'node_modules', 'vitest', 'vitest.mjs')
  const config = join(root, 'scripts', 'vitest.watch.mjs')
  const { code } = await run(productNode(), [vitest, 'watch', '--changed', '--config', config, ...options])
  return code
}
