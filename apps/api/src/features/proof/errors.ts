import { ApiError } from '../../errors.ts'

/** The chain is shorter. */
export class NoSuchEntryError extends ApiError {
  readonly code = 'NOT_FOUND'
  constructor(seq: number) {
    super(`This token has no entry ${seq}.`)
  }
}

/** Nothing was published, because no server ran in that hour, the hour is in the future, or there was no token. */
export class NotPublishedError extends ApiError {
  readonly code = 'NOT_FOUND'
  constructor(when: 'for this hour' | 'yet') {
    super(`Nothing was published ${when}.`)
  }
}
