import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { renderNginx } from '../templates/render-cluster.ts'
import { makeFolder, writeFiles } from '../templates/write-files.ts'
import { listTree, signalAll } from './process-tree.ts'
import { findServiceUser, requireProgram } from './programs.ts'
import { type Service, startService } from './service.ts'
import { untilUp } from './until-up.ts'

const LOOK_EVERY_MS = 20
const RELOADED_MAX_MS = 10_000

export interface NginxOptions {
  /** Has `log` and `pids`. */
  readonly folder: string
  /** Port for players, on the loopback address. */
  readonly port: number
  /** Ports of the nodes behind it, on the loopback address. */
  readonly nodePorts: readonly number[]
}

/** nginx in front of nodes of this machine, by the template of deploy/templates. */
export class Nginx {
  readonly service: Service
  readonly #options: NginxOptions

  private constructor(options: NginxOptions, service: Service) {
    this.#options = options
    this.service = service
  }

  /** Resolves once it listens. */
  static async start(options: NginxOptions): Promise<Nginx> {
    const { folder, nodePorts } = options
    const user = findServiceUser()
    makeFolder(join(folder, 'nginx'), user)
    writeConfig(options, nodePorts)
    const args = ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
    const command = requireProgram('nginx')
    const service = await startService({ name: 'nginx', command, args, folder, user, namespace: null })
    await untilUp(service, () => readPid(folder) === service.pid)
    return new Nginx(options, service)
  }

  /** Sends new calls to these nodes alone. Calls under way and open sockets stay where they are. */
  async sendTo(nodePorts: readonly number[]): Promise<void> {
    const { pid } = this.service
    const before = new Set(listTree(pid))
    writeConfig(this.#options, nodePorts)
    signalAll([pid], 'SIGHUP')
    const giveUpMs = performance.now() + RELOADED_MAX_MS
    while (listTree(pid).every((worker) => before.has(worker))) {
      if (performance.now() > giveUpMs) throw new Error(`nginx did not reload:\n${this.service.readLog()}`)
      await sleep(LOOK_EVERY_MS)
    }
  }
}

function writeConfig({ folder, port }: NginxOptions, nodePorts: readonly number[]): void {
  const nodes = nodePorts.map((nodePort) => `127.0.0.1:${nodePort}`)
  writeFiles(folder, [renderNginx(`127.0.0.1:${port}`, nodes, join(folder, 'nginx'))], findServiceUser())
}

/** The nginx that listens writes it once it has its ports; NaN before the first one did. */
function readPid(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, 'nginx', 'nginx.pid'), 'utf8'), 10)
  } catch {
    return Number.NaN
  }
}
