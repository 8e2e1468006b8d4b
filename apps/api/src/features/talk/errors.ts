import { ApiError, defineError } from '../../errors.ts'
import { formatMoment } from '../fairs/public.ts'

export class PostNotFoundError extends defineError('POST_NOT_FOUND', 'There is no such post.') {}

export class NotYourPostError extends defineError('NOT_YOURS', 'This belongs to someone else.') {}

export class BlockedError extends defineError('BLOCKED', 'One of you has blocked the other.') {}

export class EditTooLateError extends defineError('EDIT_TOO_LATE', 'You can edit a post only in its first minute.') {}

export class TalkClosedError extends defineError(
  'TALK_CLOSED',
  'This token was rugged, so its discussion is closed.',
) {}

export class NoCourtError extends defineError('NOT_FOUND', 'This token was not rugged.') {}

export class PostRefusedError extends ApiError {
  readonly code = 'POST_REFUSED'
}

export class MutedError extends ApiError {
  readonly code = 'MUTED'
  constructor(until: Date) {
    super(`You are muted until ${formatMoment(until)}.`)
  }
}
