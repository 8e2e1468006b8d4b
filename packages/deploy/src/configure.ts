import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { planContainers } from './cluster/container-plan.ts'
import type { SystemUser } from './programs/programs.ts'
import { renderMachine, renderNginx, renderProxy } from './templates/render-cluster.ts'
import { makeFolder, writeFiles } from './templates/write-files.ts'

/** `postgres` of the image; the volumes of the machines are its alone. */
const POSTGRES: SystemUser = { uid: 999, gid: 999 }
const NODES = ['node-1:3000', 'node-2:3000']

/** Writes the files of deploy/compose.yml: those of each machine into FOLDER/NAME, those of the proxies into FOLDER/proxies. */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: configure.ts FOLDER')
const plan = planContainers(process.env)
for (const machine of plan.machines) {
  const own = join(folder, machine.name)
  makeFolder(own, POSTGRES)
  writeFiles(own, renderMachine(plan, machine), POSTGRES)
}
makeFolder(plan.repositoryFolder, POSTGRES)
const proxies = join(folder, 'proxies')
writeFiles(proxies, [renderProxy(plan), renderNginx('3000', NODES, '/tmp')], null)
// They hold no password, and HAProxy's user is another.
for (const name of ['haproxy.cfg', 'nginx.conf']) chmodSync(join(proxies, name), 0o644)
