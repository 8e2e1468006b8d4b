import type { SecondFactorStatus } from '@papermoon/contract/second-factor'
import type { UserId } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { countRecoveryCodes, findTotp } from './store.ts'

/** Whether the player's logins need a second factor, and how many recovery codes are left. */
export async function getStatus({ platform: { db } }: App, userId: UserId): Promise<SecondFactorStatus> {
  const enabledAt = (await findTotp(db, userId))?.enabledAt ?? null
  const recoveryCodesLeft = enabledAt === null ? 0 : await countRecoveryCodes(db, userId)
  return { isOn: enabledAt !== null, enabledAt: enabledAt?.toISOString() ?? null, recoveryCodesLeft }
}
