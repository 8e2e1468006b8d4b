import type { SecondFactorStatus } from '@papermoon/contract/second-factor'
import type { UserId } from '@papermoon/engine'
import { countOwn } from '../../../accounts/own-rows.ts'
import type { App } from '../../../context.ts'
import { findTotp } from './store.ts'

/** Whether the player's logins need a second factor, and how many recovery codes are left. */
export async function getStatus({ platform: { db } }: App, userId: UserId): Promise<SecondFactorStatus> {
  const enabledAt = (await findTotp(db, userId))?.enabledAt ?? null
  const recoveryCodesLeft = enabledAt === null ? 0 : await countOwn(db, 'recovery_codes', userId)
  return { isOn: enabledAt !== null, enabledAt: enabledAt?.toISOString() ?? null, recoveryCodesLeft }
}
