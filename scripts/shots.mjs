import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { provideChromium } from './lib/programs/chromium.mjs'
import { environment, fail, root } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/** Takes screenshots of every screen into .shots/. Arguments go to Playwright, such as `-g token`. */
requireNode()
await install()
const chromium = (await provideChromium()) ?? fail('No Chromium was found, nor could one be installed.')
const build = await run('turbo', ['run', 'build', '--output-logs=errors-only'])
if (build.code !== 0) process.exit(build.code)
const browserTests = join(root, 'apps', 'e2e')
const cli = join(browserTests, 'node_modules', '@playwright', 'test', 'cli.js')
const args = [cli, 'test', '-c', join(browserTests, 'shots.config.ts'), ...process.argv.slice(2)]
const { code } = await run(productNode(), args, { env: { ...environment, CHROMIUM_PATH: chromium } })
process.stdout.write(`${join(root, '.shots')}\n`)
process.exit(code)
