import type { AppInputs, AppOutputs, AppRouter } from '@papermoon/api/router'
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import superjson from 'superjson'
import { queryClient } from './query-client.ts'
import { socketLink } from './socket.ts'

export type Inputs = AppInputs
export type Token = AppOutputs['tokens']['get']
export type TokenPage = AppOutputs['tokens']['list']
export type Trade = AppOutputs['tokens']['trades'][number]
export type Holder = AppOutputs['tokens']['holders'][number]
export type Chart = AppOutputs['tokens']['chart']
export type Candle = Chart['candles'][number]
export type Timeframe = Chart['timeframe']
export type CurrentUser = NonNullable<AppOutputs['auth']['me']>
export type Position = AppOutputs['trading']['position']
export type UserId = CurrentUser['id']
export type Winner = AppOutputs['leaderboard']['get'][number]
export type Profile = AppOutputs['users']['profile']
export type Dashboard = AppOutputs['portfolio']['dashboard']
export type PortfolioEntry = AppOutputs['portfolio']['get'][number]
export type PortfolioSummary = AppOutputs['portfolio']['summary']
export type ApiKey = AppOutputs['keys']['list'][number]
export type TokenId = Token['id']

/** The most calls that the server takes in one batch. */
const BATCH_MAX = 20
const URL_CHARS_MAX = 4_000

/** Calls that travel by themselves: the server refuses all but the last in a batch, and nothing may hold up that one. */
const ALONE = new Set(['auth.login', 'auth.register', 'auth.forgotPassword', 'auth.resetPassword', 'auth.me'])

const http = { url: '/trpc', transformer: superjson }

const links = [
  splitLink({
    condition: (operation) => operation.type === 'subscription',
    true: socketLink,
    false: splitLink({
      condition: (operation) => ALONE.has(operation.path),
      true: httpLink<AppRouter>(http),
      false: httpBatchLink<AppRouter>({ ...http, maxItems: BATCH_MAX, maxURLLength: URL_CHARS_MAX }),
    }),
  }),
]

/** The API as plain calls, for loaders and the live feeds. */
export const client = createTRPCClient<AppRouter>({ links })

/** The API as hooks. */
export const trpc = createTRPCReact<AppRouter>()

/** The API's query cache outside components. */
export const cache = createTRPCQueryUtils<AppRouter>({ queryClient, client })
