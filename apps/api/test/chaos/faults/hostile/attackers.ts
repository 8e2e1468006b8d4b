import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { StrikePlan, StrikeReport } from './strikes.ts'

/** What is attacked. */
export interface Target {
  readonly url: string
  readonly tokenId: number
}

/** Runs the attackers in a separate process, so that their work does not distort the players' latencies. */
export interface Attackers {
  strike(plan: StrikePlan): Promise<StrikeReport>
  /** Ends the process with all that it holds open. */
  leave(): Promise<void>
}

/** Registers them; each has an address of its own. */
export async function startAttackers(target: Target): Promise<Attackers> {
  const child = fork(join(import.meta.dirname, 'attacker-process.ts'), [JSON.stringify(target)])
  await nextMessage(child)
  return {
    strike: async (plan) => {
      child.send(plan)
      return (await nextMessage(child)) as StrikeReport
    },
    leave: async () => {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as unknown),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`the attackers ended with code ${code}`)
      }),
    ])
  } finally {
    over.abort()
  }
}
