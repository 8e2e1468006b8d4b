import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { authRouter } from './features/auth/router.ts'
import { liveRouter } from './features/live/router.ts'
import { siteRouter } from './features/site/router.ts'
import { tokensRouter } from './features/tokens/router.ts'
import { tradingRouter } from './features/trading/router.ts'
import { uploadsRouter } from './features/uploads/router.ts'
import { router } from './trpc.ts'

/** Every procedure of the product; REST and tRPC are doors to these. */
export const appRouter = router({
  auth: authRouter,
  live: liveRouter,
  site: siteRouter,
  tokens: tokensRouter,
  trading: tradingRouter,
  uploads: uploadsRouter,
})

export type AppRouter = typeof appRouter
export type AppInputs = inferRouterInputs<AppRouter>
export type AppOutputs = inferRouterOutputs<AppRouter>
