import { DomainError } from '../../errors.ts'

/** Somebody asks for the portfolio of another player. */
export class NotYourPortfolioError extends DomainError {
  readonly code = 'NOT_YOURS'
  constructor() {
    super('You can only see your own portfolio.')
  }
}
