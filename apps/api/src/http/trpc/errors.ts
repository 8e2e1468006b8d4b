import { getErrorShape, getTRPCErrorFromUnknown, TRPCError, transformTRPCResponse } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { toCallError, trpcConfig } from '../../trpc.ts'
import { toExpectedFailure } from '../error-response.ts'

interface FailedCall {
  readonly path?: string
  readonly type?: 'query' | 'mutation' | 'subscription' | 'unknown'
  readonly ctx?: Context
}

/** Converts any error to tRPC's. Expected failures keep their message and code. */
export function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error
  const expected = toExpectedFailure(error)
  if (expected !== null) return toCallError(expected)
  return getTRPCErrorFromUnknown(error)
}

/** Returns the JSON envelope for a failed call. */
export function toErrorEnvelope(error: TRPCError, { path, type = 'unknown', ctx }: FailedCall = {}): unknown {
  return transformTRPCResponse(trpcConfig, {
    error: getErrorShape({ config: trpcConfig, error, type, path, input: undefined, ctx }),
  })
}

/** Logs server faults. Rejections are not logged. */
export function logIfUnexpected({ id, log }: FastifyRequest, error: TRPCError, path: string | undefined): void {
  if (error.code === 'INTERNAL_SERVER_ERROR') log.error({ err: error.cause ?? error, reqId: id, path }, 'a call failed')
}
