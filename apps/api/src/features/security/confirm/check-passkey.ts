import type { Assertion } from '@papermoon/contract/webauthn'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { endChallenge, requireRelyingParty } from '../../../security/passkeys/challenge.ts'
import { PasskeyInvalidError } from '../../../security/passkeys/errors.ts'
import { spendPasskey, verifyPasskey } from '../../../security/passkeys/verify-passkey.ts'
import { lockUser } from '../store.ts'
import type { SpendProof } from './spend-proof.ts'

/**
 * Checks an assertion by one of the player's passkeys. Throws `PasskeyInvalidError` and `PasskeysUnavailableError`.
 */
export async function checkPasskey(ctx: Context, userId: UserId, assertion: Assertion): Promise<SpendProof> {
  const party = requireRelyingParty(ctx)
  const challenge = await endChallenge(ctx, userId, 'confirm')
  const passkey = await verifyPasskey(ctx.app, { challenge, assertion, party })
  if (passkey.userId !== userId) throw new PasskeyInvalidError()
  return async (tx) => {
    await lockUser(tx, userId)
    await spendPasskey(tx, ctx.app, passkey)
  }
}
