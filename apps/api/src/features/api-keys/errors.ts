import { ApiError } from '../../errors.ts'
import { KEYS_MAX } from '../../security/credentials/api-key.ts'

export class TooManyKeysError extends ApiError {
  readonly code = 'TOO_MANY_KEYS'
  override readonly details = { limit: 'apiKeys', maximum: KEYS_MAX }
  constructor() {
    super(`You already have ${KEYS_MAX} API keys. Please revoke one of them first.`)
  }
}
