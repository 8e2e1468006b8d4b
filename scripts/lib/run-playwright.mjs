import { join } from 'node:path'
import { install } from './install.mjs'
import { productNode, requireNode } from './node-version.mjs'
import { provideChromium } from './programs/chromium.mjs'
import { environment, fail, root } from './project.mjs'
import { run } from './run.mjs'

/**
 * Builds the product and runs Playwright with this config of apps/e2e and these arguments; default: the command line's.
 * `variables` are added to its environment. Returns its exit code.
 */
export async function runPlaywright(config, given = process.argv.slice(2), variables = {}) {
  requireNode()
  await install()
  const chromium = (await provideChromium()) ?? fail('No Chromium was found, nor could one be installed.')
  const build = await run('turbo', ['run', 'build', '--output-logs=errors-only'])
  if (build.code !== 0) return build.code
  const browserTests = join(root, 'apps', 'e2e')
  const cli = join(browserTests, 'node_modules', '@playwright', 'test', 'cli.js')
  const args = [cli, 'test', '-c', join(browserTests, config), ...given]
  return (await run(productNode(), args, { env: { ...environment, ...variables, CHROMIUM_PATH: chromium } })).code
}
