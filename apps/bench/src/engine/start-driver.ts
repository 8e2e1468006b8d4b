import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DatabaseAddress } from '@papermoon/db'
import type { DrivePlan, DriveResult, DriverMessage } from './driver-plan.ts'

/** A process that trades. */
export interface Driver {
  /** Runs one plan at a time. */
  drive(plan: DrivePlan): Promise<DriveResult>
  stop(): Promise<void>
}

export async function startDriver(
  name: 'engine' | 'spending' | 'keyed' | 'checkpointing' | 'noticing' | 'procedure',
  address: DatabaseAddress,
): Promise<Driver> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}-driver.ts`)], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const ask = async (message: DriverMessage): Promise<unknown> => {
    const answer = Promise.race([once(child, 'message'), ended.then(() => [{ error: `the ${name} driver ended` }])])
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
