import assert from 'node:assert/strict'
import { listMissingPackages } from '@papermoon/deploy'
import type { Fault } from '../fault.ts'
import { CLUSTER_FAULTS, type ClusterFault } from './cluster-faults.ts'
import { type FaultSeen, ReplicatedMarket } from './replicated-market.ts'

const ORDERS = 60

export const ha: Fault = {
  name: 'ha',
  about: 'a replicated PostgreSQL under two nodes: leader, standbys and etcd killed, frozen, split off, switched over',
  run: async ({ isQuick, say }) => {
    const missing = listMissingPackages()
    if (missing.length > 0) return `skipped, since these packages are missing: ${missing.join(' ')}`
    const market = await ReplicatedMarket.start()
    const rows: (readonly [ClusterFault, FaultSeen])[] = []
    try {
      for (const fault of CLUSTER_FAULTS) {
        if (fault.needsNetwork && !market.hasNetwork) {
          say(`${fault.name}: skipped, since network namespaces need root and iproute2`)
          continue
        }
        for (let round = 0; round < (isQuick ? 1 : 2); round++) {
          const seen = await market.suffer(fault, ORDERS)
          say(`${fault.name}: ${describeFault(seen)}`)
          rows.push([fault, seen])
        }
      }
    } finally {
      await market.remove()
    }
    for (const line of toTable(rows)) say(line)
    for (const [fault, { seconds }] of rows) {
      assert(seconds <= fault.withinSeconds, `${fault.name}: no order was placed for ${seconds.toFixed(1)} s`)
    }
    const sum = (figure: (seen: FaultSeen) => number) => rows.reduce((total, [, seen]) => total + figure(seen), 0)
    return `${rows.length} faults, ${sum((seen) => seen.acknowledged)} orders acknowledged, ${sum((seen) => seen.interrupted)} of them repeated, none lost or doubled, no feed with a gap, each audit exact`
  },
}

export function describeFault({ seconds, busySeconds, acknowledged, interrupted }: FaultSeen): string {
  return `${seconds.toFixed(1)} s until orders were placed, refusals until ${busySeconds.toFixed(1)} s later; ${acknowledged} orders, ${interrupted} repeated`
}

/** One line a fault: the seconds of each round. */
function toTable(rows: readonly (readonly [ClusterFault, FaultSeen])[]): string[] {
  const faults = [...new Set(rows.map(([fault]) => fault))]
  const width = Math.max(...faults.map(({ name }) => name.length))
  return faults.map((fault) => {
    const rounds = rows.filter(([of]) => of === fault).map(([, { seconds }]) => seconds.toFixed(1).padStart(6))
    return `${fault.name.padEnd(width)} ${rounds.join(' ')} s, at most ${fault.withinSeconds} s`
  })
}
