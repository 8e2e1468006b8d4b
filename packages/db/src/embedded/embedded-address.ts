import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DatabaseAddress } from '../client.ts'
import { NoDatabaseError } from '../errors.ts'
import { findHome } from './home.ts'
import { roleName } from './init-cluster.ts'
import { isServerRunning, readPostmasterFile } from './postmaster-pid.ts'
import { socketPort } from './socket-folder.ts'

/**
 * Returns the address at which another process of the same machine and user can reach the embedded server of `dataDir`,
 * or null if no server is running. Throws NoDatabaseError if there is no database in `dataDir`.
 */
export function findEmbeddedAddress(dataDir: string): DatabaseAddress | null {
  const isThere = existsSync(join(dataDir, 'postgres-is-at')) || existsSync(join(dataDir, 'postgres', 'data'))
  if (!isThere) throw new NoDatabaseError(resolve(dataDir))
  const home = findHome(dataDir)
  const server = readPostmasterFile(home.data)
  if (!server?.isReady || !isServerRunning(home.data, server.pid)) return null
  const password = readFileSync(home.passwordFile, 'utf8').trim()
  return { host: server.socketFolder, port: socketPort, user: roleName, password, database: 'postgres' }
}
