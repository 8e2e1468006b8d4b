import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, root, workspacePackages } from './project.mjs'
import { run } from './run.mjs'

const stamp = join(root, 'node_modules', '.papermoon-install')
const networkFailure = /ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ERR_SOCKET|network|fetch failed|socket hang up|50[234]/i

/** Installs what the lockfile says, quietly, unless that is what is there. Shows pnpm's output and ends on a failure. */
export async function install() {
  const wanted = fingerprint()
  if (isInstalled(wanted)) return
  process.stdout.write('Installing…\n')
  let result = await pnpmInstall()
  if (result.code !== 0 && networkFailure.test(result.output)) result = await pnpmInstall()
  if (result.code !== 0) {
    process.stderr.write(`${result.output}\nThe install failed; its output stands above.\n`)
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}

function pnpmInstall() {
  const { packageManager } = readJson(join(root, 'package.json'))
  // Without --yes npx may ask. The environment is npm's own: a half-installed node_modules must not be on its PATH.
  // CI holds each version of the lockfile against minimumReleaseAge; for everybody else that would be 700 questions more.
  const trust = process.env.CI === 'true' ? [] : ['--trust-lockfile']
  return run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', ...trust], {
    isQuiet: true,
    env: process.env,
  })
}

/** Of all that decides what an install makes. */
function fingerprint() {
  const manifests = workspacePackages().map(({ folder }) => join(folder, 'package.json'))
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((name) => join(root, name))
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${root}`)
  for (const file of [...files, ...manifests]) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

function isInstalled(wanted) {
  const folders = [root, ...workspacePackages().map(({ folder }) => folder)]
  return (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === wanted &&
    folders.every((folder) => existsSync(join(folder, 'node_modules')))
  )
}
