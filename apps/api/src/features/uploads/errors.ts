import { ApiError, defineError } from '../../errors.ts'

/** The file is not a picture, despite its name or type. */
export class NotAPictureError extends defineError(
  'NOT_A_PICTURE',
  'We cannot read this file as a picture. Please choose a PNG, JPEG, WebP, GIF or AVIF.',
) {}

/** There is no upload for the URL: the upload was never made, has expired, or was already used. */
export class UploadNotFoundError extends defineError(
  'UPLOAD_NOT_FOUND',
  'There is no uploaded picture at this URL. Please upload the picture again.',
) {}

export class NotYourUploadError extends defineError('NOT_YOURS', 'Someone else uploaded this picture.') {}

/** The upload URL is forged, changed or expired. */
export class UploadLinkError extends ApiError {
  readonly code = 'UPLOAD_LINK_INVALID'
  constructor(sentence = 'This upload URL is not valid.') {
    super(sentence)
  }
}

/** A file was already uploaded to this upload URL. */
export class UploadExistsError extends defineError(
  'UPLOAD_EXISTS',
  'This upload URL was already used. Please request a new one.',
) {}

/** The player has the max number of unused uploads. */
export class TooManyUploadsError extends defineError(
  'RATE_LIMITED',
  'You have too many unused uploads. Please try again later.',
  { retryAfterS: 600 },
) {}

/** The unused uploads of all players fill the quota. */
export class UploadsFullError extends defineError(
  'BUSY',
  'The server has no space for more uploads right now. Please try again in a minute.',
  { retryAfterS: 60 },
) {}

/** The queue of pictures is full, so this picture was not processed. */
export class PictureQueueFullError extends defineError(
  'BUSY',
  'The server is busy with other pictures. Please try again in a moment.',
  { retryAfterS: 5 },
) {}
