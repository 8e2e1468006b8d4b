import { ApiError } from '../../../errors.ts'

/** The player placed no order with this key; refused orders leave their keys free. */
export class OrderNotFoundError extends ApiError {
  readonly code = 'NOT_FOUND'
  constructor() {
    super('No order with this key was placed.')
  }
}
