import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'

const UP_MAX_MS = 30_000
const LOOK_EVERY_MS = 20

/** Resolves once a service is up; ends it and throws with its log if it ends itself or takes too long. */
export async function untilUp(service: Service, isUp: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + UP_MAX_MS
  while (!(await isUp())) {
    if (!service.isRunning() || performance.now() > giveUpMs) {
      await service.end('SIGKILL')
      throw new Error(`${service.name} did not start:\n${service.readLog()}`)
    }
    await sleep(LOOK_EVERY_MS)
  }
}

/** Whether somebody accepts connections at a port of the loopback address. */
export async function isListening(port: number): Promise<boolean> {
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
