import { expect, it } from 'vitest'
import { ZodObject, type ZodType } from 'zod'
import { newEmailField } from '../src/account-fields.ts'
import { procedures } from '../src/index.ts'
import { hasHiddenCharacters, link, optionalText, searchText, talkText, text } from '../src/text.ts'

/** Each of at most ten code points, as a ticker is. */
const CORRECT = {
  family: '👨‍👩‍👧',
  'skin tones': '👨🏽‍🤝‍👨🏻',
  'pirate flag': '🏴‍☠️',
  'flag of England': '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'flag of Brazil': '🇧🇷 1',
  keycap: '1️⃣ up',
  heart: 'a ❤️',
  Persian: 'می‌خواهم',
  'a digit in Persian': '۳‌بعدی',
  'a year in Persian': 'ه‍ ۱۴۰۰',
  Sinhala: 'ශ්‍රී',
  Hindi: 'क्‍ष हिंदी',
  Bengali: 'র‍্যাব',
  'Malayalam with an old chillu': 'അവന്‍',
  Tamil: 'க்‌ஷ ஸ்ரீ',
  Khmer: 'ខ្មែរ',
  Burmese: 'မျှော်',
  Thai: 'น้ำที่นี่',
  Vietnamese: 'Tiếng Việt',
  'pointed Hebrew': 'הַשִּׁ֔יר',
  'Hebrew with a mark': 'C++‎ שלום',
  'Arabic with a mark': 'سلام!‏ ok',
  Latin: 'Moon 2',
}

const REFUSED = {
  'a braille blank': 'Luna\u2800',
  'a null note head': 'Luna\u{1d159}',
  'an object replacement': 'Luna\ufffc',
  'Hangul fillers': 'Lu\u3164\u115f\u1160\uffa0',
  'a Hangul filler alone': 'Luna\u3164',
  'a blank hieroglyph': 'Luna\u{13441}',
  'a soft hyphen': 'Lu\u00adna',
  'a zero-width space': 'Lu\u200bna',
  'a word joiner': 'Lu\u2060na',
  'a joiner between Latin letters': 'Lu\u200dna',
  'a non-joiner between Latin letters': 'Lu\u200cna',
  'a non-joiner at the end': 'می\u200c',
  'two joiners': 'می\u200c\u200cخواهم',
  'a joiner beside an emoji': '🌙\u200d',
  'a joiner from letter to emoji': 'Luna\u200d🌙',
  'a mark in Latin text': 'Luna\u200e',
  'an Arabic mark in Latin text': 'Lu\u061cna',
  'two marks': 'שלום\u200f\u200f',
  'an override': 'Lu\u202ena',
  'an embedding': 'שלום\u202bab\u202c',
  'an isolate': 'שלום\u2067ab\u2069',
  'tags outside a flag': 'Luna\u{e0041}\u{e0042}',
  'tags of no flag': '🏴\u{e0061}\u{e0062}\u{e007f}',
  'a variation selector': 'Lu\ufe0fna',
  'an ideographic variation selector': '葛城城\u{e0100}',
  'a lone surrogate': 'Luna\ud800',
  'an unassigned character': 'Luna\u{1f8ff}',
  'five marks on a letter': `Luna${'\u0321'.repeat(5)}`,
  'marks with joiners between': `شششش${'\u064b\u064b\u064b\u200c'.repeat(2)}ش`,
}
/** A search compares: it may hold marks of any number, and drops what is unseen at its ends. */
const FOUND = [
  ...['a non-joiner at the end', 'a joiner beside an emoji', 'a mark in Latin text', 'two marks'],
  ...['five marks on a letter', 'marks with joiners between'],
]

/** The texts of the contract, by procedure and field: what takes a word, and no word with an override in it. */
const fields = [...procedures].flatMap(([path, { input }]) =>
  Object.entries(input instanceof ZodObject ? input.shape : {})
    .filter(([, field]) => field.safeParse('月').success || field.safeParse('月の紙').success)
    .filter(([, field]) => !field.safeParse(REFUSED['an override']).success)
    .map(([name, field]): [string, ZodType] => [`${path} ${name}`, field]),
)
const own = Object.entries({ text: text('name', 40), optionalText: optionalText('note', 40), talkText: talkText(40) })

const namesOf = (texts: Readonly<Record<string, string>>, test: (text: string) => boolean) =>
  Object.entries(texts).flatMap(([name, text]) => (test(text) ? [name] : []))

it.each([...fields, ...own])('%s takes correct spelling and refuses what nobody sees', (name, field) => {
  expect(namesOf(CORRECT, (value) => !field.safeParse(value).success)).toEqual([])
  const isSearch = /search|query/.test(name)
  expect(namesOf(REFUSED, (value) => field.safeParse(value).success)).toEqual(isSearch ? FOUND : [])
})

it('is one rule for every text that a caller sends', () => {
  expect(fields.map(([name]) => name).sort()).toMatchInlineSnapshot(`
    [
      "admin.act reason",
      "admin.announce text",
      "admin.answerAppeal reason",
      "admin.decide reason",
      "admin.endFair reason",
      "admin.findPlayers search",
      "admin.findTokens search",
      "admin.hideToken reason",
      "admin.look reason",
      "admin.setBound reason",
      "admin.setRole reason",
      "admin.setWord word",
      "admin.undo reason",
      "auth.register username",
      "fairs.create name",
      "keys.create name",
      "passkeys.add name",
      "reports.appeal words",
      "reports.report note",
      "search.everything query",
      "talk.edit text",
      "talk.moderate reason",
      "talk.write text",
      "tokens.launch description",
      "tokens.launch name",
      "tokens.launch symbol",
      "tokens.list search",
    ]
  `)
})

it('drops unseen characters at the ends of a search, as typed or pasted', () => {
  expect(searchText(64).parse('\u200e می\u200c ')).toBe('می')
})

it('refuses a name without a letter, a digit or an emoji', () => {
  const isName = (value: string) => text('name', 40).safeParse(value).success
  expect(['\u00a0\u2003\u3000', '...', '-', '\u0301', '\u0e47', '🌙', '☠', '7', '月', '🇧🇷'].map(isName)).toEqual([
    ...[false, false, false, false, false],
    ...[true, true, true, true, true],
  ])
})

it('refuses hidden characters in links and e-mail addresses, too', () => {
  expect(link.safeParse('https://example.org/\u2800').success).toBe(false)
  expect(newEmailField.safeParse('lu\u2800na@example.org').success).toBe(false)
})

it('takes every emoji of Unicode', () => {
  const emojis = Array.from({ length: 0x1ffff }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
    /^\p{RGI_Emoji}$/v.test(sign),
  )
  expect(emojis.filter(hasHiddenCharacters)).toEqual([])
})
