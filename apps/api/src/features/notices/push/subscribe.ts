import type { PushState, SubscribeInput } from '@papermoon/contract/push'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { App, Context } from '../../../context.ts'
import { BadInputError, defineError } from '../../../errors.ts'
import { mayCall } from '../../../security/outbound.ts'
import { hashSecret } from '../../account/public.ts'
import { loadVapidKeys } from './deliver-push.ts'
import { findEndpoints, upsertDevice } from './store.ts'

class PushUnavailableError extends defineError('PUSH_UNAVAILABLE', 'This server does not send push notifications.') {}

export async function getPushState(app: App, userId: UserId): Promise<PushState> {
  if (!app.platform.config.push) return { publicKey: null, endpoints: [] }
  const { publicKey } = await loadVapidKeys(app)
  return { publicKey, endpoints: await findEndpoints(app.platform.db, userId) }
}

/**
 * Sends a player's notices to a browser until its session ends. Throws `BadInputError` for a URL that this server does
 * not call, or for which its push service no longer accepts messages. Also throws `PushUnavailableError` and
 * `NotSignedInError`.
 */
export async function subscribeDevice(
  { app, cookies: { session } }: Context,
  userId: UserId,
  input: SubscribeInput,
): Promise<void> {
  if (!app.platform.config.push) throw new PushUnavailableError()
  if (!mayCall(input.endpoint, app.platform.outbound)) throw new BadInputError('endpoint must be a public https URL.')
  if (session.token === null) throw new NotSignedInError()
  const isAlive = await upsertDevice(app.platform.db, {
    ...input,
    userId,
    sessionHash: hashSecret(session.token),
    now: app.platform.clock.now(),
  })
  if (isAlive === null) throw new NotSignedInError()
  if (!isAlive) throw new BadInputError('endpoint no longer works. Unsubscribe this browser, then subscribe it again.')
}
