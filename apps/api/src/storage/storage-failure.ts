import { DomainError } from '@papermoon/engine'
import type { Logger } from 'pino'
import { StorageAwayError } from './errors.ts'

/** Passes domain errors through; logs any other error and maps it to `StorageAwayError`. */
export function toStorageError(error: unknown, log: Logger): DomainError {
  if (error instanceof DomainError) return error
  log.warn({ err: error }, 'an operation of the object store failed')
  return new StorageAwayError()
}
