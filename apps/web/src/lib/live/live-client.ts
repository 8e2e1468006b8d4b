import { openLive } from '@papermoon/client/live'
import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient } from '@trpc/client'

export { followConnection } from './follow-connection.ts'

const { connection, links } = openLive({ url: new URL('/trpc', location.href).href, opens: 'now' })

/** Importing this module opens the live connection; it stays open. */
export { connection }

/** The API's subscriptions: those of `live`, and `notices.live`. */
export const subscriptions = createTRPCClient<AppRouter>({ links })
