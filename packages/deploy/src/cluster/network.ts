import { execFileSync } from 'node:child_process'
import { findProgram } from '../programs/programs.ts'

/** Machines as network namespaces on one bridge, so that one can be cut off from the others. */
export interface MachineNetwork {
  /** The namespace and address of each machine, by its place. */
  readonly machines: readonly { readonly namespace: string; readonly address: string }[]
  /** Takes the machine's link down: what it sends and what is sent to it vanishes, as with a pulled cable. */
  cut(place: number): void
  join(place: number): void
  remove(): void
  readonly bridge: string
}

/** Makes it; null where this user or system cannot. */
export function createNetwork(count: number): MachineNetwork | null {
  if (process.getuid?.() !== 0 || findProgram('ip') === null || findProgram('setpriv') === null) return null
  // A number between 1 and 254 that no other network here has; 10.213.N.0/24 is ours then.
  const first = 1 + Math.floor(Math.random() * 254)
  for (let tries = 0; tries < 254; tries++) {
    const number = 1 + ((first + tries) % 254)
    const bridge = `papermoon-${number}`
    if (!tryIp('link', 'add', bridge, 'type', 'bridge')) continue
    const network = toNetwork(number, bridge, count)
    if (build(network, number, bridge)) return network
    network.remove()
    return null
  }
  return null
}

function toNetwork(number: number, bridge: string, count: number): MachineNetwork {
  const machines = Array.from({ length: count }, (_, place) => ({
    namespace: `papermoon-${number}-${place + 1}`,
    address: `10.213.${number}.${place + 1}`,
  }))
  return {
    machines,
    bridge,
    cut: (place) => ip('link', 'set', toLink(number, place), 'down'),
    join: (place) => ip('link', 'set', toLink(number, place), 'up'),
    remove: () => {
      for (const { namespace } of machines) tryIp('netns', 'del', namespace)
      tryIp('link', 'del', bridge)
    },
  }
}

function build({ machines }: MachineNetwork, number: number, bridge: string): boolean {
  try {
    ip('address', 'add', `10.213.${number}.254/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    for (const [place, { namespace, address }] of machines.entries()) {
      const link = toLink(number, place)
      ip('netns', 'add', namespace)
      ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      ip('link', 'set', link, 'master', bridge, 'up')
      ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0')
      ip('-n', namespace, 'link', 'set', 'lo', 'up')
      ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    }
    return true
  } catch {
    return false
  }
}

function toLink(number: number, place: number): string {
  return `pm-${number}-${place + 1}`
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function tryIp(...args: string[]): boolean {
  try {
    ip(...args)
    return true
  } catch {
    return false
  }
}
