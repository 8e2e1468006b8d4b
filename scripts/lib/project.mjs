import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseSeed } from './tests/seed.mjs'

/** Root folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Seed for this command's property tests. The seed is the same for all packages. */
export const testSeed = chooseSeed(process.env.TEST_SEED)

/** Environment for child processes, with the project's tools first on the PATH. */
export const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  ...(process.env.TEST_SEED && { TEST_SEED: String(testSeed) }),
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  TURBO_UI: 'false',
}

/** Lists the folder and package.json of every workspace package. */
export function workspacePackages() {
  const grouped = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  )
  return [...grouped, join(root, 'scripts')]
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) }))
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Prints `message` on one line and exits. */
export function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
