import type { Migration } from 'kysely/migration'
import * as launchpad from './0001-launchpad.ts'
import * as playerIndexes from './0002-player-indexes.ts'
import * as hiddenTokens from './0003-hidden-tokens.ts'
import * as resetCodesAndApiKeys from './0004-reset-codes-and-api-keys.ts'
import * as giveawayWindows from './0005-giveaway-windows.ts'
import * as tokenSearch from './0006-token-search.ts'
import * as hashChains from './0007-hash-chains.ts'
import * as auditsAndHeads from './0008-audits-and-heads.ts'
import * as largeHoldings from './0009-large-holdings.ts'
import * as holdingsByLocks from './0010-holdings-by-locks.ts'
import * as formingCandles from './0011-forming-candles.ts'
import * as restorableSearch from './0012-restorable-search.ts'
import * as keysInOrder from './0013-keys-in-order.ts'
import * as readsByIndex from './0014-reads-by-index.ts'
import * as accountStanding from './0015-account-standing.ts'
import * as accountSecurity from './0016-account-security.ts'
import * as secondFactors from './0017-second-factors.ts'
import * as proofOfWork from './0018-proof-of-work.ts'
import * as accountRecords from './0019-account-records.ts'
import * as giveawaySigns from './0021-giveaway-signs.ts'
import * as uploads from './0022-uploads.ts'
import * as bots from './0023-bots.compatible.ts'
import * as holderCheckpoints from './0024-holder-checkpoints.compatible.ts'
import * as homeLists from './0025-home-lists.compatible.ts'
import * as notices from './0026-notices.compatible.ts'
import * as searchEverything from './0028-search-everything.compatible.ts'
import * as keyScopes from './0029-key-scopes.compatible.ts'
import * as webhooks from './0030-webhooks.compatible.ts'
import * as engineLease from './0032-engine-lease.compatible.ts'
import * as eventPositions from './0033-event-positions.compatible.ts'
import * as engineSocket from './0034-engine-socket.compatible.ts'
import * as openTokens from './0035-open-tokens.compatible.ts'
import * as tapes from './0036-tapes.compatible.ts'
import * as seals from './0037-seals.compatible.ts'
import * as stickers from './0038-stickers.compatible.ts'

/**
 * All migrations by name; they run in the order of their names. The suffix `.compatible` promises that older builds work on the
 * new schema: see `compatibleMark` in migrate.ts.
 */
export const migrations: Record<string, Migration> = {
  '0001-launchpad': launchpad,
  '0002-player-indexes': playerIndexes,
  '0003-hidden-tokens': hiddenTokens,
  '0004-reset-codes-and-api-keys': resetCodesAndApiKeys,
  '0005-giveaway-windows': giveawayWindows,
  '0006-token-search': tokenSearch,
  '0007-hash-chains': hashChains,
  '0008-audits-and-heads': auditsAndHeads,
  '0009-large-holdings': largeHoldings,
  '0010-holdings-by-locks': holdingsByLocks,
  '0011-forming-candles': formingCandles,
  '0012-restorable-search': restorableSearch,
  '0013-keys-in-order': keysInOrder,
  '0014-reads-by-index': readsByIndex,
  '0015-account-standing': accountStanding,
  '0016-account-security': accountSecurity,
  '0017-second-factors': secondFactors,
  '0018-proof-of-work': proofOfWork,
  '0019-account-records': accountRecords,
  '0021-giveaway-signs': giveawaySigns,
  '0022-uploads': uploads,
  '0023-bots.compatible': bots,
  '0024-holder-checkpoints.compatible': holderCheckpoints,
  '0025-home-lists.compatible': homeLists,
  '0026-notices.compatible': notices,
  '0028-search-everything.compatible': searchEverything,
  '0029-key-scopes.compatible': keyScopes,
  '0030-webhooks.compatible': webhooks,
  '0032-engine-lease.compatible': engineLease,
  '0033-event-positions.compatible': eventPositions,
  '0034-engine-socket.compatible': engineSocket,
  '0035-open-tokens.compatible': openTokens,
  '0036-tapes.compatible': tapes,
  '0037-seals.compatible': seals,
  '0038-stickers.compatible': stickers,
}
