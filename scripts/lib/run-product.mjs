import { install } from './install.mjs'
import { productNode, requireNode } from './node-version.mjs'
import { run } from './run.mjs'

/** Runs one of the product's programs with our own arguments, installing first where that is needed; ends with its code. */
export async function runProduct(file) {
  requireNode()
  await install()
  const { code } = await run(productNode(), [file, ...process.argv.slice(2)])
  process.exit(code)
}
