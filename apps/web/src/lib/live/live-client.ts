import type { Connection, ConnectionState } from '@papermoon/client'
import { openLive } from '@papermoon/client/live'
import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient } from '@trpc/client'
import { cache } from '../api/api.ts'
import { deviceNow } from '../api/server-now.ts'
import { isServerThere } from './reload-when-server-returns.ts'

const { connection, links } = openLive({ url: new URL('/trpc', location.href).href, opens: 'now' })

/** The API's subscriptions: `live` and `notices.live`. */
export const subscriptions = createTRPCClient<AppRouter>({ links })

/** Reports the state of the live connection. Importing this module opens the connection, and it stays open. */
export function follow(become: (state: ConnectionState) => void): void {
  followConnection(connection, become)
  subscriptions.site.announcement.subscribe(
    {},
    {
      onData: ({ data }) => cache.site.settings.setData(undefined, (settings) => settings && { ...settings, ...data }),
    },
  )
}

/**
 * Calls `become` with the connection's state, now and on each change. A lost network leaves the socket open until a
 * ping fails, but the browser detects the loss at once. A server on the same machine stays reachable.
 */
export function followConnection(connection: Connection, become: (state: ConnectionState) => void): void {
  const tell = () => become(connection.current())
  tell()
  connection.onChange(tell)
  addEventListener('online', tell)
  addEventListener('offline', async () => {
    if (!(await isServerThere())) become({ state: 'offline', since: deviceNow() })
  })
}
