import type { ProfilePicture } from '@papermoon/contract/uploads'
import { DomainError, type UserId } from '@papermoon/engine'
import type { App, Context } from '../../context.ts'
import { createWorkQueue } from '../../lib/work-queue.ts'
import {
  createPictureName,
  findUploadKey,
  getOwner,
  toPictureUrl,
  toUploadName,
  type UploadKey,
} from '../../storage/object-store.ts'
import { NotYourUploadError, PictureQueueFullError, UploadNotFoundError } from './errors.ts'
import { deleteUpload, lockPicture, setPictureUrl } from './store.ts'

export const UPLOAD_BYTES_MAX = 5_242_880

/**
 * The queue runs one picture at a time, because decoding takes up to 330 MB and one of the four threads in Node's pool.
 * While pictures wait, they are not in memory.
 */
const pictureQueue = createWorkQueue({ runningMax: 1, waitingMax: 32, full: () => new PictureQueueFullError() })

/**
 * Makes a player's upload their profile picture. The stored picture's name depends on its content. Only the key in
 * `url` matters, not the rest of the URL. Throws `UploadNotFoundError`, `NotYourUploadError`, `FileTooLargeError`,
 * `NotAPictureError`, `PictureQueueFullError` and `StorageAwayError`. Deletes the upload after use, or if it is not a
 * picture.
 */
export async function setProfilePicture(
  { app, ip }: Pick<Context, 'app' | 'ip'>,
  userId: UserId,
  url: string,
): Promise<ProfilePicture> {
  const key = findUploadKey(url)
  if (key === null) throw new UploadNotFoundError()
  if (getOwner(key) !== userId) throw new NotYourUploadError()
  return await pictureQueue(ip, async () => {
    const webp = await readPicture(app, key)
    const name = createPictureName(webp)
    const profilePictureUrl = toPictureUrl(name)
    await app.platform.db.transaction().execute(async (tx) => {
      await lockPicture(tx, profilePictureUrl)
      await app.platform.objects.write(name, webp, 'image/webp')
      await setPictureUrl(tx, userId, profilePictureUrl)
    })
    app.market.queryCache.invalidate('profile', String(userId))
    await discard(app, key)
    return { profilePictureUrl }
  })
}

async function readPicture(app: App, key: UploadKey): Promise<Buffer> {
  try {
    const bytes = await app.platform.objects.read(toUploadName(key), UPLOAD_BYTES_MAX)
    if (bytes === null) throw new UploadNotFoundError()
    // Load the encoder on first use, because it loads a native library.
    const { encodePicture } = await import('./pictures/encode-picture.ts')
    return await encodePicture(bytes)
  } catch (error) {
    const isUseless =
      error instanceof DomainError && (error.code === 'NOT_A_PICTURE' || error.code === 'PAYLOAD_TOO_LARGE')
    if (isUseless) await discard(app, key)
    throw error
  }
}

/** Discards a player's upload. If that fails, a sweep removes it later. */
async function discard({ platform: { objects, db, log } }: App, key: UploadKey): Promise<void> {
  try {
    await objects.remove(toUploadName(key))
    await deleteUpload(db, key)
  } catch (error) {
    log.warn({ err: error }, 'an upload could not be deleted')
  }
}
