/** Where the parts of one machine listen, and where its files are. */
export interface MachinePlan {
  readonly name: string
  /** How the others reach it, and what it binds. */
  readonly address: string
  readonly listen: string
  /** Address of its etcd. */
  readonly etcdAddress: string
  readonly etcdClientPort: number
  readonly etcdPeerPort: number
  readonly postgresPort: number
  readonly patroniPort: number
  /** Files of this machine. */
  readonly folder: string
  readonly configFolder: string
  readonly dataFolder: string
  readonly socketFolder: string
}

export interface Passwords {
  readonly papermoon: string
  readonly superuser: string
  readonly replicator: string
  readonly rewinder: string
}

/** A replicated PostgreSQL: machines with etcd, Patroni and PostgreSQL each, and a proxy that finds the leader. */
export interface ClusterPlan {
  readonly machines: readonly MachinePlan[]
  /**
   * How Patroni talks to etcd. Through `etcd3`, Patroni 3.0 writes the leader's key without comparing it once its lease is lost: a
   * leader that was frozen takes the lead back from its successor, whose orders would be rewound. Through `etcd` it compares.
   */
  readonly etcdApi: 'etcd' | 'etcd3'
  /** `address:port` that HAProxy binds. */
  readonly leaderBind: string
  readonly replicasBind: string
  /** Folder of PostgreSQL's programs. */
  readonly binFolder: string
  /** Folder of pgBackRest's repository, which all machines reach. */
  readonly repositoryFolder: string
  readonly passwords: Passwords
  /** Appended to every server of HAProxy, such as a resolver of names that may change their address. */
  readonly serverOptions?: string
  /** A section of HAProxy that those options refer to. */
  readonly resolvers?: string
}
