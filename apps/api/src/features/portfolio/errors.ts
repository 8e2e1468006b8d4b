import { defineError } from '../../errors.ts'

/** The caller asked for another player's portfolio. */
export class NotYourPortfolioError extends defineError('NOT_YOURS', 'You can only see your own portfolio.') {}

/** The queue of histories is full, or the database is too slow even for the current net worth. */
export class HistoryBusyError extends defineError(
  'BUSY',
  'The server is busy with other portfolio histories. Please try again in a moment.',
  { retryAfterS: 2 },
) {}
