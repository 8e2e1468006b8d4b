import assert from 'node:assert/strict'
import type { Cluster, Machine } from '@papermoon/deploy'

/** A fault under way. */
export interface Suffering {
  /** Ends what keeps anything from being committed; the time to trade counts from its end. Absent where nothing does. */
  readonly endOutage?: () => Promise<void>
  /** Brings every machine back, once orders are placed again. */
  heal(): Promise<void>
}

/** What a replicated database survives. */
export interface ClusterFault {
  readonly name: string
  /** Until an order is placed again: from the fault, or from its end where nothing can commit meanwhile. */
  readonly withinSeconds: number
  /** Whether machines need networks of their own. */
  readonly needsNetwork?: true
  begin(cluster: Cluster): Promise<Suffering>
}

const WITHIN_SECONDS = 30

/** The shortest come first: CI runs those. */
export const CLUSTER_FAULTS: readonly ClusterFault[] = [
  {
    name: 'postmaster of the leader killed',
    withinSeconds: 10,
    begin: async (cluster) => {
      const leader = await cluster.findLeader()
      leader.killPostmaster()
      return { heal: async () => {} }
    },
  },
  {
    name: 'standby killed and wiped',
    withinSeconds: WITHIN_SECONDS,
    begin: async (cluster) => {
      const standby = await cluster.findStandby()
      await standby.kill()
      return { heal: () => cluster.replace(standby) }
    },
  },
  {
    name: 'switchover',
    withinSeconds: WITHIN_SECONDS,
    begin: async (cluster) => {
      await cluster.switchOver()
      return { heal: async () => {} }
    },
  },
  {
    name: 'leader killed and wiped',
    withinSeconds: WITHIN_SECONDS,
    begin: async (cluster) => {
      const leader = await cluster.findLeader()
      await leader.kill()
      return { heal: () => cluster.replace(leader) }
    },
  },
  {
    name: 'leader frozen',
    withinSeconds: WITHIN_SECONDS,
    begin: async (cluster) => {
      const leader = await cluster.findLeader()
      leader.freeze()
      return { heal: async () => leader.thaw() }
    },
  },
  {
    name: 'leader split off',
    withinSeconds: WITHIN_SECONDS,
    needsNetwork: true,
    begin: async (cluster) => {
      const leader = await cluster.findLeader()
      leader.cut()
      return { heal: async () => leader.join() }
    },
  },
  {
    name: 'both standbys killed',
    withinSeconds: WITHIN_SECONDS,
    begin: async (cluster) => {
      const [one, other] = await findStandbys(cluster)
      await Promise.all([one.kill(['patroni']), other.kill(['patroni'])])
      return { endOutage: () => one.start(), heal: () => other.start() }
    },
  },
  {
    name: 'two of three etcd killed',
    withinSeconds: WITHIN_SECONDS,
    begin: async (cluster) => {
      const leader = await cluster.findLeader()
      const [one] = await findStandbys(cluster)
      await Promise.all([leader.kill(['etcd']), one.kill(['etcd'])])
      return { heal: async () => void (await Promise.all([leader.start(), one.start()])) }
    },
  },
]

async function findStandbys(cluster: Cluster): Promise<readonly [Machine, Machine]> {
  const leader = await cluster.findLeader()
  const [one, other] = cluster.machines.filter((machine) => machine !== leader)
  assert(one !== undefined && other !== undefined)
  return [one, other]
}
