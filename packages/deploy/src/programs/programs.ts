import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Not in the PATH of users other than root. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin']
const POSTGRES_VERSIONS = '/usr/lib/postgresql'

/** Programs of a replicated PostgreSQL, and their Debian packages. */
const PROGRAM_PACKAGES: Readonly<Record<string, string>> = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbackrest: 'pgbackrest',
}

/** The Debian packages that a replicated PostgreSQL needs and that are not installed here. */
export function listMissingPackages(): readonly string[] {
  const missing = Object.entries(PROGRAM_PACKAGES).filter(([program]) => findProgram(program) === null)
  return [...missing.map(([, name]) => name), ...(findPostgresFolder() === null ? ['postgresql'] : [])]
}

/** The path of a program of the PATH or the system; null if there is none. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS]
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null
}

/** Like `findProgram`, but throws if there is none. */
export function requireProgram(name: string): string {
  const path = findProgram(name)
  if (path === null) throw new Error(`there is no ${name}: apt-get install ${PROGRAM_PACKAGES[name] ?? name}`)
  return path
}

/** The programs of the newest PostgreSQL from Debian; null if there is none. */
export function findPostgresFolder(): string | null {
  if (!existsSync(POSTGRES_VERSIONS)) return null
  const versions = readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a))
  return (
    versions
      .map((version) => join(POSTGRES_VERSIONS, version, 'bin'))
      .find((bin) => isExecutable(join(bin, 'postgres'))) ?? null
  )
}

/** A user of this machine. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** Whom the processes run as: `postgres` where root starts them, since PostgreSQL refuses root; else null, this user. */
export function findServiceUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres')
  return { uid: Number(uid), gid: Number(gid) }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
