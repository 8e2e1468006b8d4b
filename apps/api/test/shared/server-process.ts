import { createTestDatabase, findFreePorts } from '@papermoon/db/testing'
import { startApi } from '../chaos/support/api-process.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'

/** The real server in its own process, without limits on calls. */
export interface Server {
  /** Does not change over restarts. */
  readonly url: string
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Stops the process and deletes its data. */
  remove(): Promise<void>
}

/** Starts a server on a database of its own; `env` has further settings. */
export async function startServer(env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const database = await createTestDatabase({ poolMax: 1 })
  const server = await startServerWith(database.connectionString, env)
  return {
    ...server,
    remove: async () => {
      await server.remove()
      await database.drop()
    },
  }
}

export async function startServerWith(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const folder = makeDataFolder()
  // Not 0: while the server is down, such a port may be taken by anyone's outgoing connection.
  const place = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: String(await findFreePorts(1)) }
  const settings = { LOG_LEVEL: 'error', ...env, ...place }
  let api = await startApi(settings)
  return {
    url: api.url,
    stop: (signal) => api.end(signal),
    start: async () => {
      api = await startApi(settings)
    },
    remove: async () => {
      await api.end('SIGTERM')
      removeDataFolder(folder)
    },
  }
}
