import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DatabaseAddress } from '@papermoon/db'

export interface DrivePlan {
  /** Number of tokens. Trades are spread evenly over the ids from 1. */
  readonly tokens: number
  readonly players: number
  /** Number of concurrent trades, one per player. */
  readonly inFlight: number
  readonly seconds: number
}

export type DriveResult = {
  readonly perSecond: number
  readonly meanMs: number
  /** The 99th percentile of the latency; absent if unknown. */
  readonly p99Ms?: number
  /** CPU time per trade of the driver's process in µs, including the generation of orders; absent if unknown. */
  readonly nodeUs?: number
}

/** Messages to a driver process: first how to reach the database, then plans. */
export type DriverMessage = { readonly address: DatabaseAddress } | { readonly plan: DrivePlan }

/** A process that trades. */
export interface Driver {
  /** Runs one plan at a time. */
  drive(plan: DrivePlan): Promise<DriveResult>
  stop(): Promise<void>
}

/** Starts a driver: the trading engine, or the stored procedure called from Node. */
export async function startDriver(way: 'engine' | 'procedure', address: DatabaseAddress): Promise<Driver> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'driver.ts'), way], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const ask = async (message: DriverMessage): Promise<unknown> => {
    const answer = Promise.race([once(child, 'message'), ended.then(() => [{ error: `the ${way} driver ended` }])])
    child.send(message)
    const [reply] = (await answer) as [{ result: unknown } | { error: string }]
    if ('error' in reply) throw new Error(reply.error)
    return reply.result
  }
  await ask({ address })
  return {
    drive: async (plan) => (await ask({ plan })) as DriveResult,
    stop: async () => {
      child.disconnect()
      await ended
    },
  }
}
