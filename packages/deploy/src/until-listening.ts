import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'

const LISTENING_MAX_MS = 30_000
const LOOK_EVERY_MS = 20

/** Resolves once a service accepts connections at a port of the loopback address. Throws with its log if it does not. */
export async function untilListening(service: Service, port: number): Promise<void> {
  const giveUpMs = performance.now() + LISTENING_MAX_MS
  while (!(await accepts(port))) {
    if (!service.isRunning() || performance.now() > giveUpMs)
      throw new Error(`${service.name} did not start:\n${service.readLog()}`)
    await sleep(LOOK_EVERY_MS)
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
