import { lexer, type Tokens } from 'marked'
import { CHAPTERS, readChapterText } from './chapters.ts'
import { type Fence, parseFence } from './parse-fence.ts'

/** A code block marked `run`. */
export interface Program extends Fence {
  /** Chapter, number within the chapter, and language, such as `bot 2, python`. */
  readonly name: string
  readonly code: string
  /**
   * Scopes of the key that the program needs. They are found in its text: "a key that has the scopes market and trade".
   * Empty if the program needs no key.
   */
  readonly scopes: readonly string[]
}

/** Lists all code blocks marked `run`, in reading order. */
export function listPrograms(): Program[] {
  return CHAPTERS.flatMap((chapter) => {
    const blocks = lexer(readChapterText(chapter)).filter((token): token is Tokens.Code => token.type === 'code')
    return blocks
      .map(({ lang = '', text }, index) => ({ ...parseFence(lang), code: text, number: index + 1 }))
      .filter(({ isRun }) => isRun)
      .map(({ number, ...block }) => ({
        ...block,
        name: `${chapter} ${number}, ${block.language}`,
        scopes: findScopes(block.code),
      }))
  })
}

/** Finds the scopes that a chapter or README names. */
export function findScopes(text: string): string[] {
  const [, names = ''] = /that has the scopes? ([`a-z, ]+)/.exec(text) ?? []
  return names.match(/\b(market|read|trade|reset)\b/g) ?? []
}
