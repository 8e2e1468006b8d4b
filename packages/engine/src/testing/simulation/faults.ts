import type { SimulatedMarket, SimulatedNode } from './simulated-node.ts'

/** Longest faults: many leases. */
const FAULT_MAX_MS = 5_000
const HOUR_MS = 3_600_000

type Injection = (market: SimulatedMarket, node: SimulatedNode, nodes: readonly SimulatedNode[]) => void

const kill: Injection = (_, node, nodes) => {
  if (nodes.filter((it) => it.isUp).length > 1) node.kill()
}

const stop: Injection = (_, node, nodes) => {
  if (nodes.filter((it) => it.isUp).length > 1) void node.stop()
}

const freeze: Injection = ({ time, chance }, node) => {
  node.process.freeze()
  time.after(chance.between(100, FAULT_MAX_MS), () => node.process.thaw())
}

/** The link of two nodes holds everything back and closes nothing. */
const cut: Injection = ({ time, chance, network }, node, nodes) => {
  const other = nodes[chance.below(nodes.length)]
  if (other === undefined || other === node) return
  network.cut(node.name, other.name)
  time.after(chance.between(100, FAULT_MAX_MS), () => network.heal(node.name, other.name))
}

/** A node reaches no other node, as on the wrong side of a switch. */
const isolate: Injection = ({ time, chance, network }, node, nodes) => {
  for (const other of nodes) network.cut(node.name, other.name)
  time.after(chance.between(100, FAULT_MAX_MS), () => {
    for (const other of nodes) network.heal(node.name, other.name)
  })
}

const cutDatabase: Injection = ({ time, chance }, node) => {
  node.cutFromDatabase()
  time.after(chance.between(100, FAULT_MAX_MS), () => node.healDatabase())
}

const loseDatabase: Injection = ({ time, chance, database }) => {
  database.isAway = true
  time.after(chance.between(100, 3_000), () => {
    database.isAway = false
  })
}

const turnClock: Injection = ({ chance, database }) => {
  database.clockErrorMs = chance.between(-HOUR_MS, HOUR_MS)
}

const INJECTIONS: readonly Injection[] = [
  kill,
  stop,
  freeze,
  freeze,
  freeze,
  cut,
  cut,
  cut,
  isolate,
  isolate,
  cutDatabase,
  cutDatabase,
  loseDatabase,
  turnClock,
]

/** Lets something fail, at the leader more often than elsewhere; or starts a further node. */
export function injectFault(market: SimulatedMarket, nodes: readonly SimulatedNode[], startNode: () => void): void {
  const { chance, database } = market
  if (chance.isOnce(INJECTIONS.length + 1)) {
    startNode()
    return
  }
  const up = nodes.filter((node) => node.isUp)
  const leader = up.find((node) => node.name === database.leader)
  const node = leader !== undefined && chance.isOnce(2) ? leader : up[chance.below(up.length)]
  const inject = INJECTIONS[chance.below(INJECTIONS.length)]
  if (node !== undefined) inject?.(market, node, nodes)
}
