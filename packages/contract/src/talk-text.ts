import { z } from 'zod'
import { hasHiddenCharacters } from './text.ts'

/** More marks on one letter than any language writes. */
const PILED_MARKS = /\p{M}{4}/u
/** Sequences of these hold joiners, which are invisible elsewhere. */
const EMOJI = /\p{RGI_Emoji}/gv

/** What somebody says: one line of 1 to `max` code points, NFC, with single spaces. */
export function talkText(max: number) {
  return z
    .string()
    .max(max * 8, `must be at most ${max} characters`)
    .meta({ minLength: 1, maxLength: max })
    .transform((value) => value.normalize('NFC').trim().replace(/\s+/g, ' '))
    .refine((value) => value !== '', { message: 'is required', abort: true })
    .refine((value) => [...value].length <= max, { message: `must be at most ${max} characters`, abort: true })
    .refine((value) => !hasHiddenCharacters(value.replaceAll(EMOJI, '')), 'must not hold invisible characters')
    .refine((value) => !PILED_MARKS.test(value), 'must not pile marks on a letter')
}
