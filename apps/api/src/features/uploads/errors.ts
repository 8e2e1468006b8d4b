import { ApiError } from '../../errors.ts'

/** The file's bytes are no picture, whatever its name or type says. */
export class NotAPictureError extends ApiError {
  readonly code = 'NOT_A_PICTURE'
  constructor() {
    super('This file is not a picture that can be read. Please choose a PNG, JPEG, WebP, GIF or AVIF.')
  }
}

/** The URL has no upload: never made, expired, or used already. */
export class UploadNotFoundError extends ApiError {
  readonly code = 'UPLOAD_NOT_FOUND'
  constructor() {
    super('There is no uploaded picture at this address. Please upload it again.')
  }
}

export class NotYourUploadError extends ApiError {
  readonly code = 'NOT_YOURS'
  constructor() {
    super('This picture was uploaded by somebody else.')
  }
}

/** The upload URL is forged, changed or expired. */
export class UploadLinkError extends ApiError {
  readonly code = 'UPLOAD_LINK_INVALID'
  constructor(sentence = 'This upload address is not valid.') {
    super(sentence)
  }
}

/** The upload URL has taken its one file. */
export class UploadExistsError extends ApiError {
  readonly code = 'UPLOAD_EXISTS'
  constructor() {
    super('This upload address was used already. Please ask for a new one.')
  }
}

/** The player's unused uploads reached their maximum. */
export class TooManyUploadsError extends ApiError {
  readonly code = 'RATE_LIMITED'
  override readonly retryAfterS = 600
  constructor() {
    super('You have too many uploads that are not used. Please try again later.')
  }
}

/** All players' unused uploads fill the quota. */
export class UploadsFullError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 60
  constructor() {
    super('There is no room for more uploads now. Please try again in a minute.')
  }
}

/** The queue of pictures is full; nothing was done. */
export class PictureQueueFullError extends ApiError {
  readonly code = 'BUSY'
  override readonly retryAfterS = 5
  constructor() {
    super('The server is busy with other pictures. Please try again in a moment.')
  }
}
