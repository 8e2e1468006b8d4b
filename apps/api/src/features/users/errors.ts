import { defineError } from '../../errors.ts'

export class UserNotFoundError extends defineError('NOT_FOUND', 'User not found.') {}
