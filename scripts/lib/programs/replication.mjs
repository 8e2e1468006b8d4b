import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackages } from './debian.mjs'

/** The programs of a replicated PostgreSQL by Debian package. PostgreSQL's own are in a folder of their version. */
const programs = { patroni: 'patroni', 'etcd-server': 'etcd', haproxy: 'haproxy', pgbackrest: 'pgbackrest' }

/** Installs the packages of a replicated PostgreSQL in CI, if we may. Returns those that are still missing. */
export async function provideReplication() {
  const missing = listMissingPackages()
  if (missing.length === 0 || process.env.CI !== 'true') return missing
  await installDebianPackages(missing, 'the faults of a replicated PostgreSQL')
  return listMissingPackages()
}

function listMissingPackages() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  const isThere = (program) => folders.some((folder) => existsSync(join(folder, program)))
  const missing = Object.keys(programs).filter((name) => !isThere(programs[name]))
  return existsSync('/usr/lib/postgresql') ? missing : [...missing, 'postgresql']
}
