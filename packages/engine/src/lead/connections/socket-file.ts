import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'

/** Linux allows 107, macOS 103. */
const PATH_BYTES_MAX = 103
const NAME = /^orders-[0-9a-f]{8}\.sock$/
/** The socket may be opened by this user only. */
const MODE = 0o600

/** The path of a node's socket; null if it is too long for one. */
export function toSocketPath(folder: string, node: string): string | null {
  const path = join(resolve(folder), `orders-${node.slice(0, 8)}.sock`)
  return Buffer.byteLength(path) > PATH_BYTES_MAX ? null : path
}

/**
 * Listens at a Unix socket that only this user can open; removes those that killed nodes left in its folder. Resolves to false,
 * with a line in the log, where that is not possible: other nodes then use the network.
 */
export async function listenAtSocket(server: Server, path: string, log: Logger): Promise<boolean> {
  try {
    await removeDead(join(path, '..'))
    await listenPrivately(server, path)
    server.on('error', (error) => log.warn({ err: error }, 'the socket of orders failed'))
    return true
  } catch (error) {
    log.warn({ err: error, path }, 'no socket for the orders of other nodes of this machine: they use the network')
    return false
  }
}

async function listenPrivately(server: Server, path: string): Promise<void> {
  const { promise, resolve: listening, reject } = Promise.withResolvers<void>()
  server.once('error', reject).once('listening', listening)
  // The file exists when `listen` returns, so it never has another mode.
  const before = process.umask(0o777 & ~MODE)
  try {
    server.listen({ path, exclusive: true })
  } finally {
    process.umask(before)
  }
  await promise
  server.off('error', reject)
  chmodSync(path, MODE)
}

async function removeDead(folder: string): Promise<void> {
  const paths = readdirSync(folder).filter((name) => NAME.test(name))
  await Promise.all(paths.map(async (name) => await removeIfDead(join(folder, name))))
}

async function removeIfDead(path: string): Promise<void> {
  const socket = connect({ path })
  const { promise, resolve: settle } = Promise.withResolvers<boolean>()
  socket.once('connect', () => settle(false))
  socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ECONNREFUSED'))
  const isDead = await promise
  socket.destroy()
  if (isDead) rmSync(path, { force: true })
}
