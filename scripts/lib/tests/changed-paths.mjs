import { execFileSync } from 'node:child_process'
import { root } from '../project.mjs'

/**
 * Lists all paths that differ from `base`, including uncommitted and new files. Default base: where this branch left
 * origin/main (or main). On main itself, lists uncommitted files.
 */
export function listChangedPaths(base = findBase()) {
  const changed = git('diff', '--name-only', '--no-renames', '-z', base, '--')
  const created = git('ls-files', '--others', '--exclude-standard', '-z')
  return [...new Set([...changed.split('\0'), ...created.split('\0')])].filter(Boolean).sort()
}

function findBase() {
  for (const branch of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', branch).trim()
    } catch {
      // The branch does not exist here.
    }
  }
  return 'HEAD'
}

function git(...args) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1_048_576 }
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], options)
}
