import type { Language } from './guide.ts'

/** A code block's info string: ```` ```bash run prints="placed" ````. */
export interface Fence {
  readonly language: Language
  /** Whether `npm run examples` runs the program. */
  readonly isRun: boolean
  /** Regular expression that must match the end of the program's output. */
  readonly prints: string | null
  /** Output after which a program that never ends is stopped. */
  readonly until: string | null
}

const LANGUAGES: readonly Language[] = ['bash', 'typescript', 'python', 'html', 'json']
const WORD = /(\w+)(?:="([^"]*)")?\s*/gy

/** Parses an info string. Throws if it contains an unknown language or option. */
export function parseFence(info: string): Fence {
  const [first, ...words] = Array.from(info.trim().matchAll(WORD), ([, word = '', value]) => ({ word, value }))
  const language = LANGUAGES.find((it) => it === first?.word)
  if (language === undefined) throw new Error(`code is in ${LANGUAGES.join(', ')}, not in "${info}"`)
  const unknown = words.find(({ word }) => !['run', 'prints', 'until'].includes(word))
  if (unknown !== undefined) throw new Error(`"${unknown.word}" says nothing about code`)
  const find = (wanted: string) => words.find(({ word }) => word === wanted)?.value ?? null
  return { language, isRun: words.some(({ word }) => word === 'run'), prints: find('prints'), until: find('until') }
}
