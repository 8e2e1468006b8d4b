import { type ZodError, z } from 'zod'

/** Schemas without words of their own get these: a predicate that follows the field's name. */
z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined ? 'is required' : `must be ${describeType(issue.expected)}`
    if (issue.code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ').slice(0, 80)}`
    if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
    if (issue.code === 'too_big')
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    if (issue.code === 'too_small')
      return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`
    return 'is not valid'
  },
})

/** One plain sentence for the first thing that is wrong with an input, naming its field. */
export function formatValidationError(error: ZodError): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'The input is not valid.'
  // A message that is a sentence of its own needs no field before it.
  if (/^\p{Lu}.*\.$/u.test(issue.message)) return issue.message
  const field = issue.path.length === 0 ? 'The input' : issue.path.join('.')
  return `${field} ${issue.message}.`
}

function describeType(expected: string): string {
  if (expected === 'int') return 'a whole number'
  if (expected === 'string') return 'text'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}
