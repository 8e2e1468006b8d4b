import type { AddPasskeyInput, Passkey } from '@papermoon/contract/passkeys'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { countOwn } from '../../../accounts/own-rows.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { endChallenge, requireRelyingParty } from './challenge.ts'
import { PASSKEYS_MAX, PasskeyExistsError, TooManyPasskeysError } from './errors.ts'
import { insertPasskey } from './store.ts'
import { verifyAttestation } from './verify-attestation.ts'

/**
 * Adds a passkey that a browser created. Throws `ConfirmationNeededError`, `PasskeyInvalidError`,
 * `PasskeysUnavailableError`, `PasskeyExistsError` and `TooManyPasskeysError`.
 */
export async function addPasskey(ctx: Context, userId: UserId, input: AddPasskeyInput): Promise<Passkey> {
  const party = requireRelyingParty(ctx)
  await requireRecentProof(ctx)
  const { app } = ctx
  const { name, credential } = input
  const challenge = await endChallenge(ctx, userId, 'add')
  const made = await verifyAttestation(app, { challenge, credential, party })
  const now = app.platform.clock.now()
  const id = await app.platform.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    if ((await countOwn(tx, 'passkeys', userId)) >= PASSKEYS_MAX) throw new TooManyPasskeysError()
    const added = await insertPasskey(tx, { ...made, userId, rpId: party.id, name, now })
    if (added === null) throw new PasskeyExistsError()
    await recordAccountEvent(app, ctx, { userId, kind: 'passkey_added', detail: { name } }, tx)
    return added
  })
  mailAccountChange(app, { userId, kind: 'passkey_added', caller: ctx })
  return { id, name, domain: party.id, isSynced: made.isSynced, createdAt: now.toISOString(), lastUsedAt: null }
}
