import type { ConnectionState } from '@papermoon/client'
import { openLive } from '@papermoon/client/live'
import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient } from '@trpc/client'
import { followConnection } from './follow-connection.ts'

const { connection, links } = openLive({ url: new URL('/trpc', location.href).href, opens: 'now' })

/** Tells the state of the live connection. Importing this module opens it; it stays open. */
export const follow = (become: (state: ConnectionState) => void) => followConnection(connection, become)

/** The API's subscriptions: those of `live`, and `notices.live`. */
export const subscriptions = createTRPCClient<AppRouter>({ links })
