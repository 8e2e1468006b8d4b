import { toNetworkKey } from '../security/client-address.ts'

/** Runs work for a caller's address, at most so many at a time. Rejects work for which there is no room to wait. */
export type WorkQueue = <T>(ip: string, work: () => Promise<T>) => Promise<T>

interface WorkQueueOptions {
  readonly runningMax: number
  readonly waitingMax: number
  /** The error for work that finds no room. */
  full(): Error
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

/**
 * A queue that is fair by network: each has a line of its own, and the lines take turns. A full queue refuses the newest
 * work of the longest line, so a flood from one network has the room that others leave.
 */
export function createWorkQueue({ runningMax, waitingMax, full }: WorkQueueOptions): WorkQueue {
  /** By network; the map's order is that of their turns. */
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
    // Back to the end of the map.
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
