import type { Channel, ChannelUser, LeadNetwork } from '../../lead/connections/channel.ts'
import type { Chance } from './chance.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { VirtualTime } from './virtual-time.ts'

interface Host {
  readonly name: string
  readonly process: SimulatedProcess
  welcome: ((channel: Channel) => ChannelUser) | null
}

/**
 * Connections between nodes. Their bytes arrive late, in order. A cut link holds them back and closes nothing; once it is whole
 * again they arrive, or the connection turns out to be broken.
 */
export class SimulatedNetwork {
  readonly #time: VirtualTime
  readonly #chance: Chance
  readonly #hosts = new Map<string, Host>()
  readonly #cut = new Set<string>()
  readonly #held: { readonly pair: string; readonly side: Side; readonly deliver: () => void }[] = []

  constructor(time: VirtualTime, chance: Chance) {
    this.#time = time
    this.#chance = chance
  }

  join(name: string, process: SimulatedProcess): LeadNetwork {
    const host: Host = { name, process, welcome: null }
    this.#hosts.set(name, host)
    return {
      listen: async (welcome) => {
        host.welcome = welcome
        return {
          address: name,
          socket: null,
          close: () => {
            host.welcome = null
          },
        }
      },
      dial: (leader, user) => this.#dial(host, leader.address, user),
    }
  }

  cut(a: string, b: string): void {
    this.#cut.add(toPair(a, b))
  }

  /** Delivers held-back messages or, in half of the cases, breaks their connections. */
  heal(a: string, b: string): void {
    const pair = toPair(a, b)
    if (!this.#cut.delete(pair)) return
    const held = this.#held.filter((it) => it.pair === pair)
    this.#held.splice(0, this.#held.length, ...this.#held.filter((it) => it.pair !== pair))
    const isBroken = this.#chance.isOnce(2)
    for (const { side, deliver } of held) {
      if (isBroken) side.break()
      else deliver()
    }
  }

  #dial(from: Host, to: string, user: ChannelUser): Channel {
    const host = this.#hosts.get(to)
    const pair = toPair(from.name, to)
    const near = new Side(from.process, (side, run) => this.#send(pair, side, run))
    near.user = user
    const far = new Side(host?.process ?? from.process, (side, run) => this.#send(pair, side, run))
    near.peer = far
    far.peer = near
    this.#send(pair, near, () => {
      if (host === undefined || host.process.isKilled || host.welcome === null) near.break()
      else far.receive(() => (far.user = host.welcome?.(far) ?? null))
    })
    return near
  }

  /** Brings something to the other side of a connection after what was sent before. */
  #send(pair: string, side: Side, deliver: () => void): void {
    const arrive = (): void => {
      if (this.#cut.has(pair)) this.#held.push({ pair, side, deliver })
      else deliver()
    }
    const atMs = Math.max(side.lastArrivalMs, this.#time.nowMs + this.#chance.delayMs())
    side.lastArrivalMs = atMs
    this.#time.after(atMs - this.#time.nowMs, arrive)
  }
}

function toPair(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

/** One side of a connection. */
class Side implements Channel {
  readonly #process: SimulatedProcess
  readonly #send: (side: Side, deliver: () => void) => void
  peer: Side | null = null
  user: ChannelUser | null = null
  lastArrivalMs = 0
  #isEnded = false
  #isClosed = false
  readonly unsentBytes = 0

  constructor(process: SimulatedProcess, send: (side: Side, deliver: () => void) => void) {
    this.#process = process
    this.#send = send
  }

  write(chunks: readonly Buffer[]): void {
    if (this.#isEnded || this.#isClosed) return
    const bytes = Buffer.concat(chunks)
    this.#send(this, () => this.peer?.receive((user) => user?.receive(bytes)))
  }

  end(): void {
    if (this.#isEnded || this.#isClosed) return
    this.#isEnded = true
    this.#send(this, () => this.peer?.break())
  }

  destroy(): void {
    if (this.#isClosed) return
    this.#close()
    this.#send(this, () => this.peer?.break())
  }

  /** The process reads what arrived, unless the connection has ended for it. */
  receive(read: (user: ChannelUser | null) => void): void {
    if (this.#process.isKilled) {
      this.peer?.break()
      return
    }
    this.#process.arrive(() => {
      if (!this.#isClosed) read(this.user)
    })
  }

  /** The connection ends without this side's doing. */
  break(): void {
    this.#process.arrive(() => {
      if (this.#isClosed) return
      this.#close()
      this.#send(this, () => this.peer?.break())
    })
  }

  #close(): void {
    this.#isClosed = true
    const { user } = this
    if (user !== null) this.#process.runtime.nextTurn(() => user.onClose())
  }
}
