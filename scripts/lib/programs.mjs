import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { environment, fail, root } from './project.mjs'
import { run } from './run.mjs'

/** Use the headless shell, which has no window and saves two fifths of the tests' CPU time. */
const headlessShell = 'chromium-headless-shell'
const macChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const candidates = [headlessShell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', macChrome]
const installDebianPackage = (...names) => run(join(root, 'scripts/lib/debian.sh'), names)

/** Returns whether redis-server is available for multi-node tests. If redis-server is missing, installs it with apt. */
export async function provideRedis() {
  if (!find('redis-server')) await installDebianPackage('redis-server')
  return find('redis-server') !== undefined
}

/**
 * Returns the path of a working Chromium: CHROMIUM_PATH, one on the PATH or among macOS's applications, one that this
 * installs with apt (as root on Debian), or Playwright's. Returns undefined if none is available. With `isForAll`, also
 * installs the headless shell beside a Chromium on the PATH.
 */
export async function provideChromium({ isForAll = false } = {}) {
  const found = findChromium()
  if (found && !(isForAll && found.endsWith('/chromium') && !process.env.CHROMIUM_PATH)) return found
  await installDebianPackage(headlessShell, 'chromium')
  return findChromium() ?? (await installFromPlaywright())
}

/** Builds the web app, and returns the environment for browser tests. Exits if there is no Chromium. */
export async function prepareBrowserTests() {
  const CHROMIUM_PATH = (await provideChromium()) ?? fail('No Chromium was found, nor could one be installed.')
  const { code } = await run('turbo', ['run', 'build', '--output-logs=errors-only'])
  if (code !== 0) process.exit(code)
  return { ...environment, CHROMIUM_PATH }
}

function findChromium() {
  const names = [process.env.CHROMIUM_PATH, ...candidates].filter(Boolean)
  return names.reduce((found, name) => found ?? find(name), undefined)
}

/** Returns the path of a program that runs, or undefined. */
function find(program) {
  try {
    const path = execFileSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim()
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 })
    return path
  } catch {
    return undefined
  }
}

async function installFromPlaywright() {
  const require = createRequire(join(root, 'apps', 'e2e', 'package.json'))
  process.stdout.write('Downloading Chromium for the browser tests (playwright install)…\n')
  const cli = join(require.resolve('@playwright/test/package.json'), '..', 'cli.js')
  await run(process.execPath, [cli, 'install', 'chromium'])
  return find(require('@playwright/test').chromium.executablePath())
}
