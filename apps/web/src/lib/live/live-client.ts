import type { AppRouter } from '@papermoon/api/router'
import { openLive } from '@papermoon/client/live'
import { createTRPCClient } from '@trpc/client'

const { connection, links } = openLive({ url: new URL('/trpc', location.href).href, opens: 'now' })

/** The live connection, open as soon as this module is there; then it stays. */
export { connection }

/** The API's subscriptions. */
export const { live } = createTRPCClient<AppRouter>({ links })
