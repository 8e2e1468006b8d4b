import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../project.mjs'
import { run } from '../run.mjs'
import { linkProgramsExcept } from './hidden-programs.mjs'
import { addFailure, noResults, parseClosingLine } from './results.mjs'

/** Programs that the tests can use but must not need. */
const hidden = /^(redis-.*|chromium.*|google-chrome.*|pgbench)$/
const userName = 'nobody'
/** Several times the usual duration, with the install, in ms. */
const timeoutMs = 15 * 60_000
/** Environment variables for the install and the tests: only what a fresh machine would have. */
const kept = /^(CI|LANG|TERM|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy|npm_config_registry)$/i

/**
 * Runs `npm test -- --machine` as an unprivileged user (`preparePlainUser`) and returns `{ passed, failed, skipped }`; the
 * run prints what it skipped. If it cannot run here, prints that and returns zeros; in CI that is a failure.
 */
export async function runUnprivileged() {
  const { reason, name, options } = preparePlainUser()
  if (reason !== undefined) return sayNotRun(reason)
  process.stdout.write(`\n— The machine-dependent tests again, as ${name}, without Redis, Chromium and pgbench\n`)
  return countRun(await run('npm', ['test', '--', '--machine'], { ...options, isTeed: true, timeoutMs }))
}

/**
 * Copies the repository for an unprivileged user with an empty home and a PATH without Redis, Chromium and pgbench. Returns
 * the user's name and the options of `spawn` that run a program as this user, or the reason why it is impossible. The copy
 * is deleted when this process ends.
 */
export function preparePlainUser() {
  const user = findUser()
  if (user === null) return { reason: `there is no user ${userName} here` }
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-unprivileged-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const place = preparePlace(folder)
  const ids = user.isOther ? { uid: user.uid, gid: user.gid } : {}
  if (user.isOther) giveAll(folder, user)
  const env = { ...keptEnvironment(), HOME: place.home, TMPDIR: place.temporary, PATH: place.programs }
  if (!canRunNode({ ...ids, env })) return { reason: `${user.name} cannot run the Node of this machine` }
  return { name: user.name, options: { ...ids, cwd: place.repository, env } }
}

function countRun({ code, output, isLate }) {
  if (isLate) return addFailure(noResults, `The unprivileged run did not end within ${timeoutMs / 60_000} minutes.`)
  const counts = parseClosingLine(output)
  if (counts !== null && (code === 0 || counts.failed > 0)) return { ...noResults, ...counts }
  return addFailure({ ...noResults, ...counts }, 'The unprivileged run ended with an error though no test failed.')
}

/** In CI, fail if the run is left out. */
export function sayNotRun(reason) {
  const sentence = `The machine-dependent tests did not run again without privileges: ${reason}.`
  if (process.env.CI === 'true') return addFailure(noResults, sentence)
  process.stdout.write(`${sentence}\n`)
  return noResults
}

/** For root, `nobody`, or null if that user does not exist. For other users, themselves. */
function findUser() {
  if (process.getuid?.() !== 0) return { name: 'this user, who is not root', isOther: false }
  const match = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${userName}:[^:]*:(\\d+):(\\d+):`, 'm'))
  return match && { name: userName, isOther: true, uid: Number(match[1]), gid: Number(match[2]) }
}

/** For example, other users cannot access a Node below root's home. */
function canRunNode(options) {
  return spawnSync('npm', ['--version'], { ...options, cwd: '/', stdio: 'ignore' }).status === 0
}

function preparePlace(folder) {
  chmodSync(folder, 0o755)
  const [repository, home, temporary, programs] = ['papermoon', 'home', 'tmp', 'bin'].map((name) => join(folder, name))
  for (const path of [repository, home, temporary, programs]) mkdirSync(path)
  for (const file of filesOfRepository()) {
    mkdirSync(dirname(join(repository, file)), { recursive: true })
    cpSync(join(root, file), join(repository, file), { verbatimSymlinks: true })
  }
  linkProgramsExcept(hidden, programs)
  return { repository, home, temporary, programs }
}

/** Files that a clone would have, with uncommitted changes. */
function filesOfRepository() {
  const deleted = new Set(listFiles('--deleted'))
  const files = listFiles('--cached', '--others', '--exclude-standard', '--deduplicate')
  return files.filter((file) => !deleted.has(file))
}

/** Also works in a repository that another user owns. */
function listFiles(...options) {
  const output = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z', ...options], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  })
  return output.split('\0').filter(Boolean)
}

function giveAll(path, user) {
  chownSync(path, user.uid, user.gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) giveAll(child, user)
    else if (entry.isFile()) chownSync(child, user.uid, user.gid)
  }
}

function keptEnvironment() {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const own = Object.entries(process.env).filter(([name]) => kept.test(name))
  return { npm_config_registry: registry, npm_config_update_notifier: 'false', ...Object.fromEntries(own) }
}
