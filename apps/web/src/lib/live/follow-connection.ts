import type { Connection, ConnectionState } from '@papermoon/client'
import { isServerThere } from './come-back.ts'

/**
 * Calls `become` with the state of a connection, now and on each change. A lost network leaves its socket open until a
 * ping fails, but the browser knows at once; a server on the same machine stays in reach.
 */
export function followConnection(connection: Connection, become: (state: ConnectionState) => void): void {
  const tell = () => become(connection.current())
  tell()
  connection.onChange(tell)
  addEventListener('online', tell)
  addEventListener('offline', async () => {
    if (!(await isServerThere())) become({ state: 'offline', since: Date.now() })
  })
}
