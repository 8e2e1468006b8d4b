import { DomainError } from '@papermoon/engine'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { StorageAwayError } from './errors.ts'

/** Counts this process's failures. Registered with its server's metrics. */
export const storageFailures = new Counter({
  name: 'papermoon_storage_failures_total',
  help: 'Operations on pictures and uploads that the folder or S3 failed.',
  registers: [],
})

/** Passes domain errors through. Logs any other error and converts it to `StorageAwayError`. */
export function toStorageError(error: unknown, log: Logger): DomainError {
  if (error instanceof DomainError) return error
  storageFailures.inc()
  log.warn({ err: error }, 'an operation of the object store failed')
  return new StorageAwayError()
}
