import type { Feature } from '@papermoon/contract'
import type { FeatureRouter } from '@papermoon/contract/router'
import {
  accountRouter,
  authRouter,
  keysRouter,
  passkeysRouter,
  secondFactorRouter,
  securityRouter,
} from './features/account/router.ts'
import { fairsAdminParts, fairsRouter } from './features/fairs/router.ts'
import { followsRouter } from './features/follows/router.ts'
import { leaderboardRouter } from './features/leaderboard/router.ts'
import { liveRouter, watchOrders, watchTalk } from './features/live/router.ts'
import { adminParts, reportsRouter } from './features/moderation/router.ts'
import { alertsRouter, noticesRouter, pushRouter, webhooksRouter } from './features/notices/router.ts'
import { portfolioRouter } from './features/portfolio/router.ts'
import { proofRouter } from './features/proof/router.ts'
import { searchRouter } from './features/search/router.ts'
import { siteRouter } from './features/site/router.ts'
import { stickersRouter } from './features/stickers/router.ts'
import { talkProcedures } from './features/talk/router.ts'
import { tapeRouter } from './features/tape/router.ts'
import { historyRouter, pastRouter, tokensRouter } from './features/tokens/router.ts'
import { ordersRouter, tradingRouter, waitingOrdersProcedures } from './features/trading/router.ts'
import { uploadsRouter } from './features/uploads/router.ts'
import { usersRouter } from './features/users/router.ts'
import { watchlistRouter } from './features/watchlist/router.ts'
import { router } from './trpc.ts'

/** The router for all procedures. REST and tRPC only transport calls to these procedures. */
export const appRouter = router({
  account: accountRouter,
  admin: router({ ...adminParts, ...fairsAdminParts }),
  alerts: alertsRouter,
  auth: authRouter,
  fairs: fairsRouter,
  follows: followsRouter,
  history: historyRouter,
  keys: keysRouter,
  leaderboard: leaderboardRouter,
  live: liveRouter,
  notices: noticesRouter,
  orders: ordersRouter,
  passkeys: passkeysRouter,
  past: pastRouter,
  portfolio: portfolioRouter,
  proof: proofRouter,
  push: pushRouter,
  reports: reportsRouter,
  search: searchRouter,
  security: securityRouter,
  secondFactor: secondFactorRouter,
  site: siteRouter,
  stickers: stickersRouter,
  talk: router({ ...talkProcedures, watch: watchTalk }),
  tape: tapeRouter,
  tokens: tokensRouter,
  trading: tradingRouter,
  uploads: uploadsRouter,
  users: usersRouter,
  waitingOrders: router({ ...waitingOrdersProcedures, watch: watchOrders }),
  watchlist: watchlistRouter,
  webhooks: webhooksRouter,
} satisfies { [F in Feature]: FeatureRouter<F> })
