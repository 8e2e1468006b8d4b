import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { root } from '../project.mjs'
import { run } from '../run.mjs'
import { installDebianPackages } from './debian.mjs'

/** The headless shell saves two fifths of the tests' CPU time. */
const headlessShell = 'chromium-headless-shell'
const candidates = [headlessShell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macCandidate = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/**
 * Returns the path of a working Chromium: CHROMIUM_PATH, an installed one, one that this installs with apt (as root on
 * Debian), or Playwright's. Returns undefined if there is none.
 */
export async function provideChromium() {
  return findChromium() ?? (await installFromDebian()) ?? (await installFromPlaywright())
}

/** Does the same as `provideChromium`, for a whole run: as root on Debian, also installs the headless shell. */
export async function provideFastChromium() {
  const found = await provideChromium()
  if (found !== '/usr/bin/chromium' || process.env.CHROMIUM_PATH) return found
  await installDebianPackages([headlessShell], 'faster browser tests')
  return findChromium()
}

/**
 * Finds an installed Chromium or Chrome: CHROMIUM_PATH, on the PATH, or among macOS's applications. Returns undefined if
 * none runs.
 */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = candidates.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env.CHROMIUM_PATH, ...paths, macCandidate].find(runs)
}

function runs(path) {
  if (!path || !existsSync(path)) return false
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    return false
  }
}

async function installFromDebian() {
  for (const name of [headlessShell, 'chromium']) {
    if (!(await installDebianPackages([name], 'the browser tests'))) return undefined
    const found = findChromium()
    if (found) return found
  }
  return undefined
}

async function installFromPlaywright() {
  const require = createRequire(join(root, 'apps', 'e2e', 'package.json'))
  process.stdout.write('Downloading Chromium for the browser tests (playwright install)…\n')
  const cli = join(require.resolve('@playwright/test/package.json'), '..', 'cli.js')
  const { code, output } = await run(process.execPath, [cli, 'install', 'chromium'], { isQuiet: true })
  if (code !== 0) process.stderr.write(output)
  const path = require('@playwright/test').chromium.executablePath()
  return runs(path) ? path : undefined
}
