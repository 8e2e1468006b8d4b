import { WATCHLIST_MAX } from '@papermoon/contract/watchlist'
import { ApiError } from '../../errors.ts'

export class WatchlistFullError extends ApiError {
  readonly code = 'WATCHLIST_FULL'
  override readonly details = { limit: 'watchlist', maximum: WATCHLIST_MAX }
  constructor() {
    super(`You already watch ${WATCHLIST_MAX} tokens. Please take the star off one of them first.`)
  }
}
