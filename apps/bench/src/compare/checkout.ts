import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_FOLDER, ROOT } from '../paths.ts'

/** A commit that is checked out and installed beside this tree. */
export interface Checkout {
  readonly root: string
  remove(): void
}

/** Checks out a commit and installs its dependencies, from the cache if possible. Throws for an unknown commit. */
export function checkOut(commit: string): Checkout {
  const sha = git('rev-parse', '--verify', '--short', `${commit}^{commit}`).trim()
  const root = join(BENCH_FOLDER, `commit-${sha}`)
  const remove = () => void git('worktree', 'remove', '--force', root)
  git('worktree', 'prune')
  git('worktree', 'add', '--force', '--detach', root, sha)
  try {
    const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const install = ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline']
    execFileSync('npx', install, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (error) {
    remove()
    throw error
  }
  return { root, remove }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
