import { timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { UploadTarget } from '@papermoon/contract/uploads'
import type { UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import {
  createUploadKey,
  FileTooLargeError,
  getOwner,
  toUploadName,
  type UploadKey,
} from '../../storage/object-store.ts'
import { hashSecret, newSecret } from '../account/public.ts'
import { TooManyUploadsError, UploadExistsError, UploadLinkError, UploadsFullError } from './errors.ts'
import { withIncomingFile } from './incoming-file.ts'
import { UPLOAD_BYTES_MAX } from './set-profile-picture.ts'
import {
  countWaiting,
  evictWaiting,
  findUpload,
  insertUpload,
  lockQuota,
  releaseAddress,
  setUploadBytes,
  takeAddress,
} from './store.ts'

/**
 * Max number of unused uploads per player. A used upload's file is deleted at once, and a sweep deletes old unused
 * uploads.
 */
const WAITING_MAX = 8
/** Max total size of all players' unused files, in bytes. */
const UPLOADS_BYTES_MAX = 500_000_000
/** Age in ms from which a waiting upload may be removed for a new one. An upload request takes less time than this. */
const EVICTABLE_AFTER_MS = 120_000

/** The parts of an upload URL. */
export interface UploadLink {
  readonly key: UploadKey
  readonly secret: string
}

interface ArrivingUpload {
  readonly link: UploadLink
  readonly body: Readable
  /** The Content-Length of the upload's body, or null. */
  readonly length: number | null
}

/** Throws `UploadLinkError` for an invalid or expired URL, and `UploadExistsError` for a URL that was already used. */
export async function assertUploadLink({ platform: { db, clock } }: App, { key, secret }: UploadLink): Promise<void> {
  const upload = await findUpload(db, key)
  if (upload === undefined || !timingSafeEqual(upload.secretHash, hashSecret(secret))) throw new UploadLinkError()
  if (upload.receivedAt !== null) throw new UploadExistsError()
  if (upload.expiresAt <= clock.now()) {
    throw new UploadLinkError('This upload URL has expired. Please request a new one.')
  }
}

/**
 * Stores one file of at most 5,242,880 bytes for a URL that `assertUploadLink` accepted. Afterwards, the URL cannot be
 * used again. A rejected or aborted upload leaves no file, and the client can try the URL again. Throws
 * `UploadExistsError`, `FileTooLargeError`, `TooManyUploadsError`, `UploadsFullError`, `StorageAwayError`, or
 * `BadInputError` for an empty or aborted body.
 */
export async function receiveUpload(app: App, { link, body, length }: ArrivingUpload): Promise<void> {
  const { key } = link
  if (length !== null && length > UPLOAD_BYTES_MAX) throw new FileTooLargeError()
  await reserve(app, key, length ?? UPLOAD_BYTES_MAX)
  try {
    await withIncomingFile(app, { body, bytesMax: UPLOAD_BYTES_MAX }, async (file) => {
      await app.platform.objects.store(toUploadName(key), file)
      // The sweep or the player's deletion may have removed the upload meanwhile.
      if (!(await setUploadBytes(app.platform.db, key, file.bytes))) throw new UploadLinkError()
    })
  } catch (error) {
    await release(app, key)
    throw error
  }
}

/**
 * Reserves the URL and the space for its file. If there is too little space, removes uploads that have waited for some
 * minutes.
 */
async function reserve(app: App, key: UploadKey, bytes: number): Promise<void> {
  const { db, clock } = app.platform
  const now = clock.now()
  const evicted = await db.transaction().execute(async (tx) => {
    await lockQuota(tx)
    const waiting = await countWaiting(tx, getOwner(key))
    if (!(await takeAddress(tx, { key, now, bytes }))) throw new UploadExistsError()
    if (waiting.mine >= WAITING_MAX) throw new TooManyUploadsError()
    const missing = waiting.bytes + bytes - UPLOADS_BYTES_MAX
    if (missing <= 0) return []
    const freed = await evictWaiting(tx, { before: new Date(now.getTime() - EVICTABLE_AFTER_MS), bytes: missing })
    if (freed.bytes < missing) throw new UploadsFullError()
    return freed.keys
  })
  for (const old of evicted) await removeObject(app, old)
}

async function release(app: App, key: UploadKey): Promise<void> {
  await removeObject(app, key)
  await releaseAddress(app.platform.db, key).catch((error: unknown) =>
    app.platform.log.warn({ err: error }, 'an upload URL could not be released'),
  )
}

/** Removes a stored object. If that fails, a sweep removes it later. */
async function removeObject({ platform: { objects, log } }: App, key: UploadKey): Promise<void> {
  await objects
    .remove(toUploadName(key))
    .catch((error: unknown) => log.warn({ err: error }, 'an upload could not be deleted'))
}

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
