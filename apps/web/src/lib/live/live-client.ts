import type { Connection, ConnectionState } from '@papermoon/client'
import { openLive } from '@papermoon/client/live'
import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient } from '@trpc/client'
import { cache } from '../api/api.ts'
import { deviceNow } from '../api/server-now.ts'
import { isServerThere } from './reload-when-server-returns.ts'

const { connection, links } = openLive({ url: new URL('/trpc', location.href).href, opens: 'now' })

/** The client for the API's subscriptions, `live` and `notices.live`. */
export const subscriptions = createTRPCClient<AppRouter>({ links })

/** Reports the connection's state. Importing this module opens the connection for good. */
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
 * Calls `become` with the connection's state, now and on each change. The state also depends on the browser's events,
 * because a socket stays open after a network loss until a ping fails. Ignore these events for a server on the same
 * machine, which stays reachable without a network.
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
