import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireNode } from './node-version.mjs'
import { fail, readJson, root, workspacePackages } from './project.mjs'
import { run } from './run.mjs'

const stamp = join(root, 'node_modules', '.papermoon-install')

/** Arguments for pnpm by scope. To run the product, no development tools are needed. */
const scopes = {
  everything: [],
  product: ['--prod', '--filter=papermoon', '--filter=@papermoon/api...', '--filter=@papermoon/web...'],
}

/**
 * Installs the lockfile's packages if needed. With `isForProduct`, installs only the product's packages, unless
 * development tools were installed before. After a failure, or with an old Node, prints the reason and exits.
 */
export async function install({ isForProduct = false } = {}) {
  requireNode()
  const wanted = computeFingerprint()
  const before = readStamp()
  const scope = chooseScope({ isForProduct, before })
  if (serves({ scope, wanted, before })) return
  process.stdout.write('Installing…\n')
  const { code, output } = await pnpmInstall(scopes[scope])
  if (code !== 0) fail(`${output}\nThe install failed; see its output above.`)
  writeFileSync(stamp, `${scope} ${wanted}`)
}

/**
 * Returns the scope to install. If everything was installed before, this scope stays, because `npm start` must not
 * remove a contributor's tools.
 */
export function chooseScope({ isForProduct, before }) {
  return isForProduct && before?.scope !== 'everything' ? 'product' : 'everything'
}

/** Returns whether the last install, `before`, is enough for `scope`. */
export function serves({ scope, wanted, before }) {
  return before?.fingerprint === wanted && (before.scope === 'everything' || before.scope === scope)
}

function pnpmInstall(scopeArgs) {
  const { packageManager } = readJson(join(root, 'package.json'))
  // Use --yes, because npx may ask the user without it. Use npm's own environment, because an incomplete node_modules
  // must not be on its PATH. Only CI checks the lockfile's versions against minimumReleaseAge, because the check takes
  // 700 more requests.
  const trust = process.env.CI === 'true' ? [] : ['--trust-lockfile']
  return run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', ...trust, ...scopeArgs], {
    isQuiet: true,
    env: process.env,
  })
}

/** Returns a hash of all inputs of an install. */
export function computeFingerprint() {
  const manifests = workspacePackages().map(({ folder }) => join(folder, 'package.json'))
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((name) => join(root, name))
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${root}`)
  for (const file of [...files, ...manifests]) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

/** Reads the last install's state, `{ scope, fingerprint }`. Returns null if there was none. */
function readStamp() {
  if (!existsSync(stamp)) return null
  const [scope, fingerprint] = readFileSync(stamp, 'utf8').split(' ')
  return { scope, fingerprint }
}
