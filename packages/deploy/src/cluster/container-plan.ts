import type { ClusterPlan } from './cluster-plan.ts'

const MACHINES = [1, 2, 3]
const FOLDER = '/var/lib/papermoon'

/** The cluster of deploy/compose.yml: each machine has the ports that its programs have by default. */
export function planContainers(env: Readonly<Record<string, string | undefined>>): ClusterPlan {
  const password = (name: string) => {
    const value = env[name]
    if (value === undefined || !/^[\w-]+$/.test(value)) throw new Error(`${name} needs letters and digits`)
    return value
  }
  return {
    machines: MACHINES.map((number) => ({
      name: `pg${number}`,
      address: `pg${number}`,
      etcdAddress: `etcd-pg${number}`,
      listen: '0.0.0.0',
      etcdClientPort: 2379,
      etcdPeerPort: 2380,
      postgresPort: 5432,
      patroniPort: 8008,
      folder: FOLDER,
      configFolder: '/config',
      dataFolder: `${FOLDER}/data`,
      socketFolder: `${FOLDER}/run`,
    })),
    etcdApi: 'etcd3',
    leaderBind: ':5432',
    replicasBind: ':5433',
    binFolder: '/usr/lib/postgresql/18/bin',
    repositoryFolder: '/repository',
    passwords: {
      papermoon: password('PAPERMOON_PASSWORD'),
      superuser: password('SUPERUSER_PASSWORD'),
      replicator: password('REPLICATOR_PASSWORD'),
      rewinder: password('REWINDER_PASSWORD'),
    },
    // A container that starts again may have another address.
    serverOptions: ' init-addr none resolvers docker',
    resolvers: 'resolvers docker\n  nameserver dns 127.0.0.11:53\n  hold valid 1s\n',
  }
}
