import { DomainError } from '../../errors.ts'

/** The chain is not so long. */
export class NoSuchEntryError extends DomainError {
  readonly code = 'NOT_FOUND'
  constructor(seq: number) {
    super(`This token has no entry ${seq}.`)
  }
}

/** No server ran in that hour, or it is not over, or the market is younger. */
export class NotPublishedError extends DomainError {
  readonly code = 'NOT_FOUND'
  constructor() {
    super('Nothing was published for this hour.')
  }
}
