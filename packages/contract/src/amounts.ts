import { AmountError, Decimal, parsePrice, parseSol, parseTokens, type Sol } from '@papermoon/amm'
import { type RefinementCtx, z } from 'zod'

/** Pattern for the OpenAPI document. @papermoon/amm parses the amounts. */
const PLAIN_DECIMAL = { pattern: '^ *([0-9]+(\\.[0-9]*)?|\\.[0-9]+) *$', maxLength: 40 }

/** An amount in a request, either exact text or a number. */
export const decimalForms = z.union([z.string().meta(PLAIN_DECIMAL), z.number()], {
  error: ({ input }) => (input === undefined ? 'is required' : 'must be a number'),
})

/** Converts an amount to text without an exponent. */
export function toDecimalText(sent: string | number): string {
  return typeof sent === 'number' ? new Decimal(sent).toFixed() : sent
}

/** Parses an amount. Reports an `AmountError` as a validation issue. */
export function parseAmount<T>(sent: string | number, parse: (text: string) => T, check: RefinementCtx): T {
  try {
    return parse(toDecimalText(sent))
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    check.issues.push({ code: 'custom', message: error.message, input: sent })
    return z.NEVER
  }
}

function amount<T>(parse: (text: string) => T, unit: string) {
  return decimalForms.transform((sent, check) => parseAmount(sent, parse, check)).describe(unit)
}

/** SOL above zero, truncated to nine decimals. */
export const solAmount = amount(
  parseSol,
  'SOL as a decimal number, preferably text such as "1.5". Decimals after the ninth are truncated.',
)
/** A token amount above zero, truncated to six decimals. */
export const tokenAmount = amount(
  parseTokens,
  'Tokens as a decimal number, preferably text. Decimals after the sixth are truncated.',
)

/** SOL per token, above zero, truncated to 18 decimals. */
export const orderPrice = amount(parsePrice, 'SOL per token as a decimal number, preferably text.')

/** An idempotency key: 1 to 64 printable ASCII characters without spaces. */
export const requestKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 printable characters without spaces')
  .describe('Idempotency key. A key places at most one order.')

/** A field of every order's response. REST sends this field as the header `Idempotent-Replayed`. */
export const isReplayed = z
  .literal(true)
  .optional()
  .describe('true if the order was already placed with the same idempotency key.')

export const dryRun = z
  .boolean()
  .optional()
  .describe('If true, the order is only checked. A dry run returns 0 for new ids.')
export const isDryRun = z.literal(true).optional().describe('Whether this was a dry run, which changes nothing.')

/** Matches blank text and zero. */
const NOTHING = /^\s*(?:0+\.?0*|\.0+)?\s*$/
const TEXT_MAX = 40

/** SOL for a creator's first buy, or undefined if omitted, blank or zero. */
export const initialBuyAmount = decimalForms
  .optional()
  .transform((sent = '', check): Sol | undefined => {
    const text = toDecimalText(sent)
    // The number `-0` becomes the text "-0", which the pattern NOTHING does not match.
    if (sent === 0 || (text.length <= TEXT_MAX && NOTHING.test(text))) return undefined
    return parseAmount(sent, parseSol, check)
  })
  .describe('SOL for the creator’s first buy, preferably as text. With 0 or an empty text, there is no first buy.')
