import type { TRPC_ERROR_CODE_KEY } from '@trpc/server'
import { z } from 'zod'
import { type ErrorCode, errors } from './errors.ts'
import { workChallenge } from './work-challenge.ts'

export const fieldError = z
  .object({
    field: z
      .string()
      .describe('Name of the field, with dots if it is nested, or an empty text if the whole input is wrong.'),
    pointer: z.string().describe('JSON Pointer to the field, such as #/solAmount.'),
    message: z.string().describe('One sentence for people.'),
  })
  .meta({ id: 'FieldError' })
export type FieldError = Readonly<z.output<typeof fieldError>>

const CODES = [
  'PARSE_ERROR',
  'BAD_REQUEST',
  'INTERNAL_SERVER_ERROR',
  'NOT_IMPLEMENTED',
  'BAD_GATEWAY',
  'SERVICE_UNAVAILABLE',
  'GATEWAY_TIMEOUT',
  'UNAUTHORIZED',
  'PAYMENT_REQUIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_SUPPORTED',
  'TIMEOUT',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE_CONTENT',
  'PRECONDITION_REQUIRED',
  'TOO_MANY_REQUESTS',
  'CLIENT_CLOSED_REQUEST',
] as const satisfies readonly TRPC_ERROR_CODE_KEY[]

export const errorData = z.object({
  code: z.enum(CODES),
  httpStatus: z.int(),
  path: z.string().optional(),
  reason: z
    .enum(Object.keys(errors) as ErrorCode[])
    .nullable()
    .describe('Error code, or null for an unexpected error.'),
  retryAfterS: z.number().nullable(),
  requestKey: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
  challenge: workChallenge.nullable(),
  errors: z.array(fieldError),
})
export type ErrorData = z.output<typeof errorData>
