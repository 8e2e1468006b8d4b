import { Decimal, type Sol, solText } from '@papermoon/amm'
import type { ResetResult } from '@papermoon/contract/account'
import type { Db, Tx } from '@papermoon/db'
import { isLockTimeout } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { findNetWorth, type NetWorth } from '../portfolio/public.ts'
import { AccountBusyError, NetWorthTooHighError, RESET_BELOW, ResetTooSoonError } from './errors.ts'
import { findLastReset, findStakedPools, insertReset, lockAccount, lockPools } from './store.ts'

type Parts = AppPart<'db' | 'clock' | 'queryCache'>

/** Net worth after a reset, in SOL. */
const RESET_TO = new Decimal(100)
const ATTEMPTS_MAX = 4

/**
 * Raises a net worth under 10 SOL to 100 SOL, once in 24 hours. Holdings stay unchanged. Throws `ResetTooSoonError`,
 * `NetWorthTooHighError` and `AccountBusyError`.
 */
export async function resetAccount(app: Parts, userId: UserId): Promise<ResetResult> {
  // Check without locks first, so that rejected calls do not delay a market.
  await inSnapshot(app.platform.db, async (snapshot) => {
    await assertDue(snapshot, userId, app.platform.clock.now())
    assertPoor(await findNetWorth(snapshot, userId))
  })
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const result = await app.platform.db
      .transaction()
      .execute((tx) => topUp(tx, app, userId))
      .catch((error: unknown) => {
        if (isLockTimeout(error)) return null
        throw error
      })
    if (result !== null) {
      app.market.queryCache.invalidate('profile', String(userId))
      return result
    }
  }
  throw new AccountBusyError()
}

/** Tops up the account. Returns null if the player got another token before everything was locked. */
async function topUp(tx: Tx, { platform: { clock } }: Parts, userId: UserId): Promise<ResetResult | null> {
  const locked = await lockPools(tx, userId)
  await lockAccount(tx, userId)
  // Read everything else in new statements. A statement that waited for a lock sees other tables as they were before
  // the wait.
  const staked = await findStakedPools(tx, userId)
  if (!staked.every((tokenId) => locked.has(tokenId))) return null
  const at = clock.now()
  await assertDue(tx, userId, at)
  const worth = await findNetWorth(tx, userId)
  const amount = RESET_TO.sub(assertPoor(worth))
  const balance = worth.balance.add(amount)
  await insertReset(tx, { userId, amount, balance, at })
  return { granted: solText(amount), balance: solText(balance), netWorth: solText(worth.netWorth.add(amount)) }
}

async function assertDue(db: Db, userId: UserId, now: Date): Promise<void> {
  const last = await findLastReset(db, userId)
  const waitMs = last === null ? 0 : last.getTime() + DAY_MS - now.getTime()
  if (waitMs > 0) throw new ResetTooSoonError(waitMs)
}

/**
 * Returns the net worth including pools that the player sealed for a limited time. Without this rule, a player could
 * seal a full pool for an hour and get a reset. Throws `NetWorthTooHighError`.
 */
function assertPoor({ netWorth, sealedPools }: NetWorth): Sol {
  const worth = netWorth.add(sealedPools)
  if (worth.gte(RESET_BELOW)) throw new NetWorthTooHighError(worth, sealedPools)
  return worth
}
