import { defineError } from '../../../errors.ts'

export const ALERTS_MAX = 50

export class TooManyAlertsError extends defineError(
  'TOO_MANY_ALERTS',
  `You already have ${ALERTS_MAX} price alerts. Please remove one of them first.`,
  { details: { limit: 'alerts', maximum: ALERTS_MAX } },
) {}

/** The price is already reached, so the alert would never notify anyone. */
export class AlertReachedError extends defineError(
  'ALERT_REACHED',
  'The price has already reached this value. Please choose another value.',
) {}

export class TokenRuggedError extends defineError(
  'TOKEN_CLOSED',
  'This token was rugged, so its price can no longer change.',
) {}
