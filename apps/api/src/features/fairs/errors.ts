import { ApiError, defineError } from '../../errors.ts'

/** There is no fair with this id, or the fair is a room that the caller has not joined. */
export class FairNotFoundError extends defineError('FAIR_NOT_FOUND', 'There is no such fair.') {}

/** The caller has no account in the fair, or has left it. */
export class NotInFairError extends ApiError {
  readonly code = 'NOT_IN_FAIR'
  constructor(sentence = 'Enter this fair first. Players trade its tokens with the fair’s own SOL.') {
    super(sentence)
  }
}

export class FairNotOpenError extends ApiError {
  readonly code = 'FAIR_NOT_OPEN'
}

/** A setting of the fair forbids the action. */
export class FairRuleError extends ApiError {
  readonly code = 'FAIR_RULE'
}

/** The fair has no free seats. */
export class FairFullError extends ApiError {
  readonly code = 'FAIR_FULL'
  override readonly details
  constructor(maximum: number) {
    super(`This fair is full. At most ${maximum} players can enter.`)
    this.details = { limit: 'entrants', maximum }
  }
}

/** The caller hosts too many fairs, or their network or the server has too many. */
export class TooManyFairsError extends ApiError {
  readonly code = 'TOO_MANY_FAIRS'
}

export class NotTheHostError extends defineError('NOT_YOURS', 'Only the host of this fair can do this.') {}
