import { execFileSync } from 'node:child_process'
import { root } from './project.mjs'

/**
 * Every path that differs from `base`: committed since, not committed, or new. Without one, from where this branch left
 * origin/main (or main); on main itself, what is not committed.
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
      // There is no such branch here.
    }
  }
  return 'HEAD'
}

function git(...args) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1_048_576 }
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], options)
}
