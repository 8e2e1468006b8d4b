import { ApiError } from '../../../errors.ts'

export const ALERTS_MAX = 50

export class TooManyAlertsError extends ApiError {
  readonly code = 'TOO_MANY_ALERTS'
  override readonly details = { limit: 'alerts', maximum: ALERTS_MAX }
  constructor() {
    super(`You already have ${ALERTS_MAX} price alerts. Please remove one of them first.`)
  }
}

/** The price is already there, so nothing is left to tell. */
export class AlertReachedError extends ApiError {
  readonly code = 'ALERT_REACHED'
  constructor() {
    super('The price is there already. Please choose another one.')
  }
}

export class TokenRuggedError extends ApiError {
  readonly code = 'TOKEN_CLOSED'
  constructor() {
    super('This token was rugged: its price will not move any more.')
  }
}
