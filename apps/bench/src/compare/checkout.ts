import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchContext } from '../bench.ts'
import { BENCH_FOLDER, ROOT } from '../paths.ts'

/**
 * Checks out a commit and installs its dependencies, from the cache if possible. The checkout is removed at the end of
 * the context's part. Returns the checkout's root folder. Throws an error for an unknown commit.
 */
export function checkOut({ cleanup }: BenchContext, commit: string): string {
  const sha = git('rev-parse', '--verify', '--short', `${commit}^{commit}`).trim()
  const root = join(BENCH_FOLDER, `commit-${sha}`)
  git('worktree', 'prune')
  git('worktree', 'add', '--force', '--detach', root, sha)
  cleanup.defer(() => void git('worktree', 'remove', '--force', root))
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const install = ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline']
  execFileSync('npx', install, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  return root
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
