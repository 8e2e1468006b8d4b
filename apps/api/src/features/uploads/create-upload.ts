import type { UploadTarget } from '@papermoon/contract/uploads'
import type { UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { createUploadKey } from '../../storage/object-store.ts'
import { hashSecret, newSecret } from '../account/public.ts'
import { insertUpload } from './upload-store.ts'

const UPLOAD_MS = 600_000

/** Creates a URL to which a player can PUT one file within ten minutes, on any node. Throws `StorageAwayError`. */
export async function createUpload({ platform: { db, clock, objects } }: App, userId: UserId): Promise<UploadTarget> {
  await objects.prepare()
  const key = createUploadKey(userId)
  const secret = newSecret()
  const now = clock.now()
  const expires_at = new Date(now.getTime() + UPLOAD_MS)
  await insertUpload(db, { key, user_id: userId, secret_hash: hashSecret(secret), created_at: now, expires_at })
  return { uploadURL: `/objects/uploads/${key}?signature=${secret}` }
}
