import { DomainError } from '@papermoon/engine'
import type { Logger } from 'pino'
import { StorageAwayError } from './errors.ts'

/** What a store's caller is told of a failure: a refusal as it is, all else as `StorageAwayError`, with its cause in the log. */
export function toStorageError(error: unknown, log: Logger): DomainError {
  if (error instanceof DomainError) return error
  log.warn({ err: error }, 'the object store did not do what it was asked')
  return new StorageAwayError()
}
