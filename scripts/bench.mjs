import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { run } from './lib/run.mjs'

/** In megabytes. Generating a market of ten million trades keeps every holding in memory, and garbage collection dominates. */
const memory = ['--max-old-space-size=6144', '--max-semi-space-size=64']

requireNode()
await install()
const args = [...memory, 'apps/bench/src/main.ts', ...process.argv.slice(2)]
const { code } = await run(productNode(), args)
process.exit(code)
