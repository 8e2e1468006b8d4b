import { install } from './install.mjs'
import { productNode, requireNode } from './node-version.mjs'
import { run } from './run.mjs'

/** Megabytes. Node's own default lets the garbage of a long journal grow the process by a hundred. */
const youngGenerationMax = 8

/** Runs one of the product's programs with our own arguments, installing first where that is needed; ends with its code. */
export async function runProduct(file) {
  requireNode()
  await install()
  const { code } = await run(productNode(), [
    `--max-semi-space-size=${youngGenerationMax}`,
    file,
    ...process.argv.slice(2),
  ])
  process.exit(code)
}
