import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { listTree, readPostmasterPid, signalAll } from '../programs/process-tree.ts'
import { requireProgram, type SystemUser } from '../programs/programs.ts'
import { type Service, startService } from '../programs/service.ts'
import { renderMachine } from '../templates/render-cluster.ts'
import { makeFolder, writeFiles } from '../templates/write-files.ts'
import type { ClusterPlan, MachinePlan } from './cluster-plan.ts'
import type { MachineNetwork } from './network.ts'

/** Programs of a machine: `etcd`, and `patroni` with the PostgreSQL that it starts. */
export type MachinePart = 'etcd' | 'patroni'
const ALL: readonly MachinePart[] = ['etcd', 'patroni']

export interface MachineSite {
  readonly plan: ClusterPlan
  /** Has `log` and `pids`. */
  readonly folder: string
  readonly user: SystemUser | null
  readonly network: MachineNetwork | null
}

/** One machine of a cluster, as processes, and ways to break it. */
export class Machine {
  readonly plan: MachinePlan
  readonly #site: MachineSite
  readonly #place: number
  readonly #services = new Map<MachinePart, Service>()

  constructor(site: MachineSite, place: number) {
    const plan = site.plan.machines[place]
    if (plan === undefined) throw new Error(`there is no machine ${place}`)
    this.plan = plan
    this.#site = site
    this.#place = place
    this.#writeConfig(false)
  }

  get name(): string {
    return this.plan.name
  }

  /** Starts the parts that do not run. */
  async start(parts: readonly MachinePart[] = ALL): Promise<void> {
    const { folder, user, network } = this.#site
    for (const part of parts) {
      if (this.#services.get(part)?.isRunning()) continue
      const config = join(this.plan.configFolder, `${part}.yml`)
      const service = await startService({
        name: `${this.name}-${part}`,
        command: requireProgram(part),
        args: part === 'etcd' ? ['--config-file', config] : [config],
        folder,
        user,
        namespace: network?.machines[this.#place]?.namespace ?? null,
      })
      this.#services.set(part, service)
    }
  }

  /** Ends the parts in order, PostgreSQL with Patroni. */
  async stop(parts: readonly MachinePart[] = ALL): Promise<void> {
    for (const part of [...parts].reverse()) await this.#services.get(part)?.end('SIGTERM', 20_000)
    if (parts.includes('patroni')) signalAll(this.#listPostgres(), 'SIGKILL')
  }

  /** `kill -9` of the parts with everything they started, as a power cut does. */
  async kill(parts: readonly MachinePart[] = ALL): Promise<void> {
    signalAll(this.#listPids(parts), 'SIGKILL')
    await Promise.all(parts.map((part) => this.#services.get(part)?.end('SIGKILL')))
  }

  /** `kill -9` of the postmaster alone; its backends then end, and Patroni finds it dead. */
  killPostmaster(): void {
    const pid = readPostmasterPid(this.plan.dataFolder)
    if (pid === null) throw new Error(`${this.name} has no postmaster`)
    signalAll([pid], 'SIGKILL')
  }

  /** Stops all of its processes with SIGSTOP: connections stay open and nothing answers. */
  freeze(): void {
    const pids = this.#listPids(ALL)
    signalAll(pids, 'SIGSTOP')
    // Also stop processes that were started meanwhile.
    signalAll(this.#listPids(ALL), 'SIGSTOP')
  }

  thaw(): void {
    signalAll(this.#listPids(ALL), 'SIGCONT')
  }

  /** Cuts its network off. Throws where machines have no network of their own. */
  cut(): void {
    this.#requireNetwork().cut(this.#place)
  }

  join(): void {
    this.#requireNetwork().join(this.#place)
  }

  /** Deletes PostgreSQL's data; with `etcd` also etcd's, whose member must then be replaced. */
  wipe(parts: readonly MachinePart[] = ['patroni']): void {
    if (parts.includes('patroni')) rmSync(this.plan.dataFolder, { recursive: true, force: true })
    if (!parts.includes('etcd')) return
    rmSync(join(this.plan.folder, 'etcd'), { recursive: true, force: true })
    this.#writeConfig(true)
  }

  /** The end of its logs, for people. */
  readLogs(): string {
    return [...this.#services.values()].map((service) => `${service.name}:\n${service.readLog()}`).join('\n')
  }

  #writeConfig(isReplaced: boolean): void {
    const { user, plan } = this.#site
    const { folder, configFolder, socketFolder } = this.plan
    for (const path of [folder, configFolder, socketFolder, join(folder, 'pgbackrest')]) makeFolder(path, user)
    writeFiles(configFolder, renderMachine(plan, this.plan, isReplaced), user)
  }

  #listPids(parts: readonly MachinePart[]): number[] {
    const services = parts.flatMap((part) => {
      const service = this.#services.get(part)
      return service?.isRunning() ? listTree(service.pid) : []
    })
    return [...services, ...(parts.includes('patroni') ? this.#listPostgres() : [])]
  }

  /** Each backend has a process group of its own, and the postmaster is no child of Patroni. */
  #listPostgres(): number[] {
    const pid = readPostmasterPid(this.plan.dataFolder)
    return pid === null ? [] : listTree(pid)
  }

  #requireNetwork(): MachineNetwork {
    if (this.#site.network === null) throw new Error('the machines share one network')
    return this.#site.network
  }
}
