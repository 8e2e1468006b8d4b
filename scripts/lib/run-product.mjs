import { install } from './install.mjs'
import { productNode, requireNode } from './node-version.mjs'
import { run } from './run.mjs'

/** In megabytes. With Node's default, garbage of a long journal would add a hundred to the process. */
const youngGenerationMax = 8

/** Runs one of the product's programs with our arguments, after installing if needed, and exits with its code. */
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
