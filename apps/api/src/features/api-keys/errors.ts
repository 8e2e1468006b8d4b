import { DomainError } from '../../errors.ts'
import { KEYS_MAX } from './api-key.ts'

export class TooManyKeysError extends DomainError {
  readonly code = 'TOO_MANY_KEYS'
  constructor() {
    super(`You already have ${KEYS_MAX} API keys. Please revoke one of them first.`)
  }
}
