import { AmountError, parseSol, parseTokens } from '@papermoon/amm'
import { z } from 'zod'

/** What the documents say of an amount; the market maker reads it, and says what is wrong with it. */
const PLAIN_DECIMAL = { pattern: '^ *([0-9]+(\\.[0-9]*)?|\\.[0-9]+) *$', maxLength: 40 }

/** A schema for a decimal text that `parse` turns into an amount; its sentence says what is wrong. */
function amount<T>(parse: (text: string) => T, unit: string) {
  return z
    .string()
    .meta(PLAIN_DECIMAL)
    .transform((text, check) => {
      try {
        return parse(text)
      } catch (error) {
        if (!(error instanceof AmountError)) throw error
        check.issues.push({ code: 'custom', message: error.message, input: text })
        return z.NEVER
      }
    })
    .describe(unit)
}

/** SOL as decimal text, above zero; more than 9 decimals are cut. */
export const solAmount = amount(
  parseSol,
  'SOL as a plain decimal number in text, such as "1.5"; more than 9 decimals are cut.',
)
/** Tokens as decimal text, above zero; more than 6 decimals are cut. */
export const tokenAmount = amount(
  parseTokens,
  'Tokens as a plain decimal number in text; more than 6 decimals are cut.',
)

/** An idempotency key: 1 to 64 printable ASCII characters without spaces. */
export const requestKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 printable characters without spaces')
  .describe('Idempotency key: repeating an order with its key gets the first answer and trades once.')
