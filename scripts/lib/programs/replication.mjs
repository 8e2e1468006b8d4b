import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackages } from './debian.mjs'

/** The programs of a replicated PostgreSQL by Debian package. PostgreSQL's own are in a folder of their version. */
const programs = { patroni: 'patroni', 'etcd-server': 'etcd', haproxy: 'haproxy', pgbackrest: 'pgbackrest' }

/** The Debian packages of everything that `npm run chaos:ha` starts. */
export const haPackages = [...Object.keys(programs), 'postgresql', 'nginx']

/** Installs the packages of a replicated PostgreSQL in CI, if we may. Returns those that are still missing. */
export async function provideReplication() {
  const missing = listMissingPackages()
  if (missing.length === 0 || process.env.CI !== 'true') return missing
  await installDebianPackages(missing, 'the faults of a replicated PostgreSQL')
  return listMissingPackages()
}

/** Installs nginx in CI, if we may. Returns whether it is there. */
export async function provideNginx() {
  if (isInstalled('nginx') || process.env.CI !== 'true') return isInstalled('nginx')
  await installDebianPackages(['nginx'], 'the tests of nginx')
  return isInstalled('nginx')
}

function isInstalled(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.some((folder) => existsSync(join(folder, program)))
}

function listMissingPackages() {
  const missing = Object.keys(programs).filter((name) => !isInstalled(programs[name]))
  return existsSync('/usr/lib/postgresql') ? missing : [...missing, 'postgresql']
}
