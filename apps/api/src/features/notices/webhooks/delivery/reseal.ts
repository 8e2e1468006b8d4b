import type { App } from '../../../../context.ts'
import { toSecretPurpose, toUrlPurpose } from '../secrets.ts'
import type { Hook } from './queue.ts'

/** Encrypts a webhook's secrets with the first key of `SECRETS_KEY`, if they are not. The secret before ends within a day anyway. */
export async function resealSecrets({ db, secrets }: Pick<App, 'db' | 'secrets'>, hook: Hook): Promise<void> {
  const { id, user_id: userId, secret_sealed: sealed, url_sealed: sealedUrl } = hook
  if (!(await secrets.isOutdated(sealed)) && !(await secrets.isOutdated(sealedUrl))) return
  const secret = await secrets.open(sealed, toSecretPurpose(userId))
  const url = await secrets.open(sealedUrl, toUrlPurpose(userId))
  if (secret === null || url === null) return
  const secret_sealed = await secrets.seal(secret, toSecretPurpose(userId))
  const url_sealed = await secrets.seal(url, toUrlPurpose(userId))
  // A rotation in between has its own secret.
  await db
    .updateTable('webhooks')
    .set({ secret_sealed, url_sealed })
    .where('id', '=', id)
    .where('secret_sealed', '=', sealed)
    .execute()
}
