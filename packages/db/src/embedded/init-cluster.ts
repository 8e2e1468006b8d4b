import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from '../errors.ts'
import type { Binaries } from './binaries.ts'
import type { ChildUser } from './child-user.ts'
import type { Home } from './home.ts'

/** An embedded server's only database role. */
export const roleName = 'papermoon'

const unfinishedPrefix = 'data.unfinished'

/**
 * Creates the data folder of the home and a random password, if there is none yet. Returns the database role's
 * password. The folder gets its final name only when it is complete, so that a first start that was killed starts over.
 */
export async function initCluster(home: Home, binaries: Binaries): Promise<string> {
  if (existsSync(home.data)) {
    // PostgreSQL rejects a folder that others may read. `chmod -R` on the project can cause this.
    chmodSync(home.data, 0o700)
    return readPassword(home)
  }
  for (const name of readdirSync(home.folder)) {
    if (name.startsWith(unfinishedPrefix)) rmSync(join(home.folder, name), { recursive: true })
  }
  const password = randomBytes(24).toString('base64url')
  const unfinished = join(home.folder, unfinishedPrefix)
  const passwordForInitdb = join(home.folder, `${unfinishedPrefix}.password`)
  mkdirSync(unfinished, { mode: 0o700 })
  writeFileSync(passwordForInitdb, password, { mode: 0o600 })
  giveTo(home.user, unfinished)
  giveTo(home.user, passwordForInitdb)
  await runInitdb(binaries.initdb, unfinished, passwordForInitdb, home.user)
  rmSync(passwordForInitdb)
  writeFileSync(home.passwordFile, `${password}\n`, { mode: 0o600, flush: true })
  chmodSync(home.passwordFile, 0o600)
  renameSync(unfinished, home.data)
  return password
}

/** Makes PostgreSQL's user the owner of `path`, if this process is root. */
export function giveTo(user: ChildUser | undefined, path: string): void {
  if (user) chownSync(path, user.uid, user.gid)
}

function readPassword(home: Home): string {
  try {
    chmodSync(home.passwordFile, 0o600)
    return readFileSync(home.passwordFile, 'utf8').trim()
  } catch (error) {
    throw new EmbeddedPostgresError(`The password of the embedded database cannot be read from ${home.passwordFile}.`, {
      cause: error,
    })
  }
}

async function runInitdb(
  initdb: string,
  data: string,
  passwordFile: string,
  user: ChildUser | undefined,
): Promise<void> {
  const args = ['-D', data, '-U', roleName, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8']
  // Use the builtin locale, which sorts in the same way on every machine and needs no system library.
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums')
  try {
    await promisify(execFile)(initdb, args, { ...user, cwd: data, env: { LANG: 'C' }, timeout: 120_000 })
  } catch (error) {
    const output = (error as { stderr?: string }).stderr?.trim()
    throw new EmbeddedPostgresError(`The embedded PostgreSQL could not make its data folder: ${output || error}`, {
      cause: error,
    })
  }
}
