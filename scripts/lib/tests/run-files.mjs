import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { productNode } from '../node-version.mjs'
import { provideChromium } from '../programs/chromium.mjs'
import { environment, fail } from '../project.mjs'
import { run } from '../run.mjs'

/**
 * Runs test files of one package with its runner (Vitest or Playwright) on the project's Node. Returns the exit code. For
 * browser tests, provides Chromium and builds the web app.
 */
export async function runFiles({ folder, files }, { options = [], isWatching = false } = {}) {
  if (existsSync(join(folder, 'playwright.config.ts'))) return await runBrowserTests({ folder, files, options })
  const cli = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  const { code } = await run(productNode(), [cli, isWatching ? 'watch' : 'run', ...files, ...options], { cwd: folder })
  return code
}

async function runBrowserTests({ folder, files, options }) {
  const chromium = (await provideChromium()) ?? fail('No Chromium was found, nor could one be installed.')
  const build = await run('turbo', ['run', 'build', '--output-logs=errors-only'])
  if (build.code !== 0) return build.code
  const cli = join(folder, 'node_modules', '@playwright', 'test', 'cli.js')
  const env = { ...environment, CHROMIUM_PATH: chromium }
  const { code } = await run(productNode(), [cli, 'test', ...files, ...options], { cwd: folder, env })
  return code
}
