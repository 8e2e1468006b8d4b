import { ApiError, defineError } from '../errors.ts'

/** No fair has this id, or it is a room that the caller is not in. */
export class FairNotFoundError extends defineError('FAIR_NOT_FOUND', 'There is no such fair.') {}

/** The caller has no account in the fair, or has left it. */
export class NotInFairError extends ApiError {
  readonly code = 'NOT_IN_FAIR'
  constructor(sentence = 'Enter this fair first: its tokens are bought with its own SOL.') {
    super(sentence)
  }
}

export class FairNotOpenError extends ApiError {
  readonly code = 'FAIR_NOT_OPEN'
}

/** A setting of the fair forbids it. */
export class FairRuleError extends ApiError {
  readonly code = 'FAIR_RULE'
}

/** The fair takes no more entrants. */
export class FairFullError extends ApiError {
  readonly code = 'FAIR_FULL'
  override readonly details
  constructor(maximum: number) {
    super(`This fair is full: it takes ${maximum} players.`)
    this.details = { limit: 'entrants', maximum }
  }
}

/** The caller hosts as many fairs as one may, or their network or the server has as many of its kind as it may have. */
export class TooManyFairsError extends ApiError {
  readonly code = 'TOO_MANY_FAIRS'
  /** How many are the caller's; or whose bound is met. */
  constructor(what: string, mine: number | 'network' | 'server', canEnd = true) {
    super(
      typeof mine === 'string'
        ? `${mine === 'server' ? 'This server' : 'Your network'} has as many ${what} as it may have. Please try again later.`
        : `You already host ${mine} ${what}. ${canEnd ? 'Please end one of them first.' : 'Cups that have begun end at their bell: please wait for one.'}`,
    )
  }
}

export class NotTheHostError extends defineError('NOT_YOURS', 'Only the host of this fair can do this.') {}
