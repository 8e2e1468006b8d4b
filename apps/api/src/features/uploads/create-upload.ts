import type { App } from '../../context.ts'
import type { UserId } from '../../ids.ts'
import { newUploadKey } from './object-names.ts'
import type { UploadTarget } from './schemas.ts'

const UPLOAD_S = 600

/** An address to which this player may PUT one file within ten minutes. Throws `StorageAwayError`. */
export async function createUpload(app: App, userId: UserId): Promise<UploadTarget> {
  const validity = { from: app.clock.now(), seconds: UPLOAD_S }
  return { uploadURL: await app.objects.signUpload(newUploadKey(userId), validity) }
}
