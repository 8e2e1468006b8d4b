import { accountProcedures } from './account.ts'
import { adminProcedures } from './admin.ts'
import { alertsProcedures } from './alerts.ts'
import { authProcedures } from './auth.ts'
import { fairsProcedures } from './fairs.ts'
import { followsProcedures } from './follows.ts'
import { historyProcedures } from './history.ts'
import { keysProcedures } from './keys.ts'
import { leaderboardProcedures } from './leaderboard.ts'
import { liveProcedures } from './live.ts'
import { noticesProcedures } from './notices.ts'
import { ordersProcedures } from './orders.ts'
import { passkeysProcedures } from './passkeys.ts'
import { pastProcedures } from './past.ts'
import { portfolioProcedures } from './portfolio.ts'
import type { Procedure } from './procedure.ts'
import { proofProcedures } from './proof.ts'
import { pushProcedures } from './push.ts'
import { reportsProcedures } from './reports.ts'
import { searchProcedures } from './search.ts'
import { secondFactorProcedures } from './second-factor.ts'
import { securityProcedures } from './security.ts'
import { siteProcedures } from './site.ts'
import { stickersProcedures } from './stickers.ts'
import { talkProcedures } from './talk.ts'
import { tapeProcedures } from './tape.ts'
import { tokensProcedures } from './tokens.ts'
import { tradingProcedures } from './trading.ts'
import { uploadsProcedures } from './uploads.ts'
import { usersProcedures } from './users.ts'
import { waitingOrdersProcedures } from './waiting-orders.ts'
import { watchlistProcedures } from './watchlist.ts'
import { webhooksProcedures } from './webhooks.ts'

/** Every procedure of the API by feature, in the order of the API reference. */
export const contract = {
  tokens: tokensProcedures,
  history: historyProcedures,
  trading: tradingProcedures,
  orders: ordersProcedures,
  waitingOrders: waitingOrdersProcedures,
  past: pastProcedures,
  fairs: fairsProcedures,
  talk: talkProcedures,
  follows: followsProcedures,
  reports: reportsProcedures,
  portfolio: portfolioProcedures,
  users: usersProcedures,
  stickers: stickersProcedures,
  leaderboard: leaderboardProcedures,
  search: searchProcedures,
  watchlist: watchlistProcedures,
  tape: tapeProcedures,
  notices: noticesProcedures,
  alerts: alertsProcedures,
  push: pushProcedures,
  webhooks: webhooksProcedures,
  proof: proofProcedures,
  keys: keysProcedures,
  auth: authProcedures,
  account: accountProcedures,
  security: securityProcedures,
  secondFactor: secondFactorProcedures,
  passkeys: passkeysProcedures,
  uploads: uploadsProcedures,
  site: siteProcedures,
  live: liveProcedures,
  admin: adminProcedures,
}

export type Contract = typeof contract
export type Feature = keyof Contract

/** A procedure's full name, such as `trading.buy`. */
export type ProcedurePath = { [F in Feature]: `${F}.${keyof Contract[F] & string}` }[Feature]

export const procedures: ReadonlyMap<string, Procedure> = new Map(
  Object.entries(contract).flatMap(([feature, procedures]) =>
    Object.entries<Procedure>(procedures).map(([name, procedure]) => [`${feature}.${name}`, procedure]),
  ),
)
