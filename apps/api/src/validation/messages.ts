import type { FieldError } from '@papermoon/contract/error-data'
import { type ZodError, z } from 'zod'
import { BadInputError } from '../errors.ts'

/** Default messages for schemas that have no message. Each message is a predicate that follows the field's name. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is required' : `must be ${describeType(issue.expected)}`
  if (issue.code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ').slice(0, 80)}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'too_big')
    return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
  if (issue.code === 'too_small')
    return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`
  return 'is not valid'
}

/** Makes `describeIssue` the default for the whole process, because tRPC has no parameter for it. */
export function configureZod(): void {
  z.config({ customError: describeIssue })
}

/** Lists the first error of each field. */
export function listFieldErrors(error: ZodError): FieldError[] {
  const byPointer = new Map<string, FieldError>()
  for (const { path, message } of error.issues) {
    const names = path.map(String)
    const pointer = toPointer(names)
    if (!byPointer.has(pointer)) byPointer.set(pointer, toFieldError(names, message))
  }
  return [...byPointer.values()]
}

/**
 * Creates the error for an input with at least one fault. The message does not mention `others`, because the main
 * faults caused them.
 */
export function createBadInput(faults: readonly FieldError[], others: readonly FieldError[] = []): BadInputError {
  const errors = [...faults, ...others].slice(0, ERRORS_MAX)
  const [first = WHOLE_INPUT, ...more] = faults
  let sentence = first.message
  let shown = 1
  for (const { message } of more) {
    if (sentence.length + message.length > SENTENCE_MAX) break
    sentence += ` ${message}`
    shown++
  }
  const left = faults.length - shown
  const rest = left <= 0 ? '' : ` ${left} more ${left === 1 ? 'field is' : 'fields are'} wrong.`
  return new BadInputError(`${sentence}${rest}`, errors)
}

/**
 * Creates a fault of the field with this path. The message is a whole sentence, or a predicate that follows the field's
 * name.
 */
export function toFieldError(path: readonly string[], message: string): FieldError {
  const field = path.join('.')
  const isSentence = /^\p{Lu}.*\.$/u.test(message)
  const sentence = isSentence ? message : `${field === '' ? 'The input' : field} ${message}.`
  return { field, pointer: toPointer(path), message: sentence }
}

const WHOLE_INPUT = toFieldError([], 'is not valid')

/** Max number of errors that a response lists. */
const ERRORS_MAX = 20
/** Max length of a message that names several fields, in characters. */
const SENTENCE_MAX = 240

function toPointer(path: readonly string[]): string {
  const parts = path.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
  return ['#', ...parts].join('/')
}

function describeType(expected: string): string {
  if (expected === 'int') return 'a whole number'
  if (expected === 'string') return 'text'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}
