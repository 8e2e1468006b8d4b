import type { ClusterPlan, MachinePlan } from '../cluster/cluster-plan.ts'
import { renderTemplate, type TemplateName } from './render-template.ts'

export interface RenderedFile {
  readonly name: TemplateName
  readonly text: string
}

/** Files of one machine. `isReplaced`: its etcd joins members that exist, instead of founding a cluster. */
export function renderMachine(plan: ClusterPlan, machine: MachinePlan, isReplaced = false): readonly RenderedFile[] {
  const { machines, passwords } = plan
  const values = {
    ...machine,
    binFolder: plan.binFolder,
    etcdApi: plan.etcdApi,
    isEtcdV2: String(plan.etcdApi === 'etcd'),
    repositoryFolder: plan.repositoryFolder,
    etcdState: isReplaced ? 'existing' : 'new',
    etcdMembers: machines
      .map(({ name, etcdAddress, etcdPeerPort }) => `${name}=http://${etcdAddress}:${etcdPeerPort}`)
      .join(','),
    etcdHosts: machines.map(({ etcdAddress, etcdClientPort }) => `"${etcdAddress}:${etcdClientPort}"`).join(', '),
    papermoonPassword: passwords.papermoon,
    superuserPassword: passwords.superuser,
    replicatorPassword: passwords.replicator,
    rewinderPassword: passwords.rewinder,
  }
  const names = ['etcd.yml', 'patroni.yml', 'pgbackrest.conf', 'create-database.sh'] as const
  return names.map((name) => ({ name, text: renderTemplate(name, values) }))
}

export function renderProxy(plan: ClusterPlan): RenderedFile {
  const { machines, leaderBind, replicasBind, serverOptions = '', resolvers = '' } = plan
  const servers = machines
    .map(({ name, address, postgresPort, patroniPort }) => {
      return `  server ${name} ${address}:${postgresPort} check port ${patroniPort}`
    })
    .join('\n')
  const name = 'haproxy.cfg'
  return { name, text: renderTemplate(name, { leaderBind, replicasBind, servers, serverOptions, resolvers }) }
}

/** nginx in front of nodes, each as `host:port`. `folder`: for its temporary files. */
export function renderNginx(listen: string, nodes: readonly string[], folder: string): RenderedFile {
  const upstreams = nodes.map((node) => `    server ${node};`).join('\n')
  return { name: 'nginx.conf', text: renderTemplate('nginx.conf', { nginxListen: listen, upstreams, folder }) }
}
