import { expect, it } from 'vitest'
import { ZodObject, type ZodType } from 'zod'
import { newEmailField } from '../src/account-fields.ts'
import { procedures } from '../src/index.ts'
import { hasHiddenCharacters, link, optionalText, searchText, talkText, text } from '../src/text.ts'

/** Correct texts of at most ten code points each, like a ticker. */
const CORRECT = [
  ...['👨‍👩‍👧', '👨🏽‍🤝‍👨🏻', '🏴‍☠️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇧🇷 1', '1️⃣ up', 'a ❤️', 'Moon 2'],
  ...['می‌خواهم', '۳‌بعدی', 'ه‍ ۱۴۰۰', 'سلام!‏ ok', 'הַשִּׁ֔יר', 'C++‎ שלום', 'Tiếng Việt', 'น้ำที่นี่'],
  ...['ශ්‍රී', 'क्‍ष हिंदी', 'র‍্যাব', 'അവന്‍', 'க்‌ஷ ஸ்ரீ', 'ខ្មែរ', 'မျှော်'],
]
/**
 * Texts that are rejected except in a search, which removes invisible characters at its ends and allows stacked marks.
 */
const AT_ENDS = [
  ...['می\u200c', '🌙\u200d', 'Luna\u200e', 'שלום\u200f\u200f', `Luna${'\u0321'.repeat(5)}`],
  `شششش${'\u064b\u064b\u064b\u200c'.repeat(2)}ش`,
]
const OVERRIDE = 'Lu\u202ena'
const REFUSED = [
  ...AT_ENDS,
  // Blank characters, and characters that are invisible between Latin letters.
  ...[
    'Luna\u2800',
    'Luna\u{1d159}',
    'Luna\ufffc',
    'Lu\u3164\u115f\u1160\uffa0',
    'Luna\u3164',
    'Luna\u{13441}',
    'Lu\u00adna',
  ],
  ...[
    'Lu\u200bna',
    'Lu\u2060na',
    'Lu\u200dna',
    'Lu\u200cna',
    'می\u200c\u200cخواهم',
    'Luna\u200d🌙',
    'Lu\u061cna',
    OVERRIDE,
  ],
  // Embeddings and isolates, tags outside a flag, variation selectors, and half and unassigned characters.
  ...[
    'שלום\u202bab\u202c',
    'שלום\u2067ab\u2069',
    'Luna\u{e0041}\u{e0042}',
    '🏴\u{e0061}\u{e0062}\u{e007f}',
    'Lu\ufe0fna',
  ],
  ...['葛城城\u{e0100}', 'Luna\ud800', 'Luna\u{1f8ff}'],
]

/** The contract's text fields, by procedure and field: they accept a word, but no word with an override character. */
const fields = [...procedures].flatMap(([path, { input }]) =>
  Object.entries(input instanceof ZodObject ? input.shape : {})
    .filter(([, field]) => field.safeParse('月').success || field.safeParse('月の紙').success)
    .filter(([, field]) => !field.safeParse(OVERRIDE).success)
    .map(([name, field]): [string, ZodType] => [`${path} ${name}`, field]),
)
const own = Object.entries({ text: text('name', 40), optionalText: optionalText('note', 40), talkText: talkText(40) })

it.each([...fields, ...own])('%s accepts correct spelling and rejects invisible characters', (name, field) => {
  const isTaken = (value: string) => field.safeParse(value).success
  expect(CORRECT.filter((value) => !isTaken(value))).toEqual([])
  expect(REFUSED.filter(isTaken)).toEqual(/search|query/.test(name) ? AT_ENDS : [])
})

it('all texts that a caller sends follow one rule', () => {
  expect(fields.length).toBeGreaterThanOrEqual(27)
})

it('a search ignores invisible characters at its ends, which come from typing or pasting', () => {
  expect(searchText(64).parse('\u200e می\u200c ')).toBe('می')
})

it('rejects a name without a letter, a digit or an emoji', () => {
  const isName = (value: string) => text('name', 40).safeParse(value).success
  expect(['\u00a0\u2003\u3000', '...', '-', '\u0301', '\u0e47', '🌙', '☠', '7', '月', '🇧🇷'].map(isName)).toEqual([
    ...[false, false, false, false, false],
    ...[true, true, true, true, true],
  ])
})

it('rejects hidden characters in links and email addresses, too', () => {
  expect(link.safeParse('https://example.org/\u2800').success).toBe(false)
  expect(newEmailField.safeParse('lu\u2800na@example.org').success).toBe(false)
})

it('accepts every emoji of Unicode', () => {
  const emojis = Array.from({ length: 0x1ffff }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
    /^\p{RGI_Emoji}$/v.test(sign),
  )
  expect(emojis.filter(hasHiddenCharacters)).toEqual([])
})
