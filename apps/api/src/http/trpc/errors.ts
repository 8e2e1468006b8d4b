import { getErrorShape, getTRPCErrorFromUnknown, TRPCError, transformTRPCResponse } from '@trpc/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../context.ts'
import { toTransport } from '../../errors.ts'
import { appRouter } from '../../router.ts'
import { toExpectedFailure } from '../error-response.ts'

const config = appRouter._def._config

interface FailedCall {
  readonly path?: string
  readonly type?: 'query' | 'mutation' | 'subscription' | 'unknown'
  readonly ctx?: Context
}

/** Any error as tRPC's own; what is expected keeps its sentence and code. */
export function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error
  const expected = toExpectedFailure(error)
  if (expected !== null) {
    return new TRPCError({ code: toTransport(expected.code).trpc, message: expected.message, cause: expected })
  }
  return getTRPCErrorFromUnknown(error)
}

/** The envelope in which tRPC's clients expect a failed call. */
export function toErrorEnvelope(error: TRPCError, { path, type = 'unknown', ctx }: FailedCall = {}): unknown {
  return transformTRPCResponse(config, {
    error: getErrorShape({ config, error, type, path, input: undefined, ctx }),
  })
}

/** Logs what nobody expected; refusals are the caller's business. */
export function logIfUnexpected(log: FastifyBaseLogger, error: TRPCError, path: string | undefined): void {
  if (error.code === 'INTERNAL_SERVER_ERROR') log.error({ err: error.cause ?? error, path }, 'a call failed')
}
