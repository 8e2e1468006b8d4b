import { AmountError, Decimal, parsePrice, parseSol, parseTokens, type Sol } from '@papermoon/amm'
import { type RefinementCtx, z } from 'zod'

/** For the OpenAPI document only; @papermoon/amm parses amounts and reports what is wrong with them. */
const PLAIN_DECIMAL = { pattern: '^ *([0-9]+(\\.[0-9]*)?|\\.[0-9]+) *$', maxLength: 40 }

/** An amount as sent: text, which is exact, or a number. */
export const decimalForms = z.union([z.string().meta(PLAIN_DECIMAL), z.number()], {
  error: ({ input }) => (input === undefined ? 'is required' : 'must be a number'),
})

/** An amount as text, written without an exponent. */
export function toDecimalText(sent: string | number): string {
  return typeof sent === 'number' ? new Decimal(sent).toFixed() : sent
}

/** Parses an amount; the message of its `AmountError` becomes the issue's. */
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

/** SOL above zero; more than 9 decimals are cut. */
export const solAmount = amount(
  parseSol,
  'SOL as a plain decimal number, best in text, such as "1.5"; more than 9 decimals are cut.',
)
/** Tokens above zero; more than 6 decimals are cut. */
export const tokenAmount = amount(
  parseTokens,
  'Tokens as a plain decimal number, best in text; more than 6 decimals are cut.',
)

/** SOL a token above zero; more than 18 decimals are cut. */
export const orderPrice = amount(parsePrice, 'SOL a token as a plain decimal number, best in text.')

/** An idempotency key: 1 to 64 printable ASCII characters without spaces. */
export const requestKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 printable characters without spaces')
  .describe('An order repeated with it is placed once.')

/** A field of every order's answer. Over REST the header `Idempotent-Replayed` says it instead. */
export const isReplayed = z
  .literal(true)
  .optional()
  .describe('Only in the answer to a repeat: the order was placed before, with the same idempotency key.')

/** A field of every order. */
export const dryRun = z
  .boolean()
  .optional()
  .describe('Checks the order without placing it; its key stays free. New ids are 0.')
/** A field of every order's answer. */
export const isDryRun = z.literal(true).optional().describe('Of a dry run: nothing was done.')

/** Blank or zero. */
const NOTHING = /^\s*(?:0+\.?0*|\.0+)?\s*$/
const TEXT_MAX = 40

/** A creator's first buy in SOL; undefined where it is left out, blank or zero. */
export const initialBuyAmount = decimalForms
  .optional()
  .transform((sent = '', check): Sol | undefined => {
    const text = toDecimalText(sent)
    // `-0` becomes the text "-0", which NOTHING does not match.
    if (sent === 0 || (text.length <= TEXT_MAX && NOTHING.test(text))) return undefined
    return parseAmount(sent, parseSol, check)
  })
  .describe('SOL of the creator’s first buy, best in text; 0 or blank means none.')
