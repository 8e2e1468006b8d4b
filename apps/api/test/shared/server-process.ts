import { createTestDatabase, findFreePorts } from '@papermoon/db/testing'
import { startApi } from '../chaos/support/api-process.ts'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'

/** The real server in its own process, without rate limits. */
export interface Server {
  /** Stays the same across restarts. */
  readonly url: string
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Stops the process and deletes its data. */
  remove(): Promise<void>
}

/** Starts a server with its own database. `env` contains further settings. */
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
  // Choose a fixed port: with PORT=0, another process could take the port while the server is down.
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
