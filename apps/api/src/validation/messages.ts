import { type ZodError, z } from 'zod'

/** Default messages for schemas without their own: a predicate that follows the field's name. */
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

/** Makes `describeIssue` the default of the whole process: tRPC parses inputs without a way to pass it. */
export function configureZod(): void {
  z.config({ customError: describeIssue })
}

/** One plain sentence for the first thing that is wrong with an input, naming its field. */
export function formatValidationError(error: ZodError): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'The input is not valid.'
  // A message that is a whole sentence needs no field before it.
  if (/^\p{Lu}.*\.$/u.test(issue.message)) return issue.message
  const field = issue.path.length === 0 ? 'The input' : issue.path.join('.')
  return `${field} ${issue.message}.`
}

function describeType(expected: string): string {
  if (expected === 'int') return 'a whole number'
  if (expected === 'string') return 'text'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}
