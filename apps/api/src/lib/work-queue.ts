import { toNetworkKey } from '../security/client-address.ts'

/**
 * Runs work on behalf of a caller's IP address. The queue limits how much work runs at once, and rejects work for which
 * there is no space.
 */
export type WorkQueue = <T>(ip: string, work: () => Promise<T>) => Promise<T>

interface WorkQueueOptions {
  readonly runningMax: number
  readonly waitingMax: number
  /** Returns the error that a caller gets for rejected work. */
  full(): Error
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

/**
 * Creates a queue that is fair by network: each network has its own line, and the lines take turns. If the queue is
 * full, it rejects the newest work of the longest line. A flood from one network therefore gets only the capacity that
 * others do not need.
 */
export function createWorkQueue({ runningMax, waitingMax, full }: WorkQueueOptions): WorkQueue {
  /** Work that waits, by network, in the order of the networks' turns. */
  const lines = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0
  const takeTurn = (key: string): Promise<void> =>
    new Promise((start, refuse) => {
      const line = lines.get(key) ?? []
      if (waiting >= waitingMax) {
        const longest = findLongest(lines)
        if (longest.length <= line.length + 1) return refuse(full())
        longest.pop()?.refuse(full())
        waiting--
      }
      line.push({ start, refuse })
      lines.set(key, line)
      waiting++
    })
  const startNext = () => {
    const [next] = lines
    if (next === undefined) return
    const [key, line] = next
    // Move this network's line to the end of the map.
    lines.delete(key)
    const work = line.shift()
    if (line.length > 0) lines.set(key, line)
    running++
    waiting--
    work?.start()
  }
  return async (ip, work) => {
    if (running < runningMax) running++
    else await takeTurn(toNetworkKey(ip))
    try {
      return await work()
    } finally {
      running--
      startNext()
    }
  }
}

function findLongest(lines: ReadonlyMap<string, Waiting[]>): Waiting[] {
  let longest: Waiting[] = []
  for (const line of lines.values()) if (line.length > longest.length) longest = line
  return longest
}
