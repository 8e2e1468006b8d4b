import type { Language } from '@papermoon/guide'
import { saveSetting, useStored } from '../../lib/ui/stored.ts'

const KEY = 'papermoon-guide-language'

interface Choice {
  /** The language chosen on this device; null before the first choice. */
  readonly chosen: string | null
  readonly choose: (language: Language) => void
}

/** Returns the language for all code on the page. */
export function useLanguage(): Choice {
  return { chosen: useStored(KEY), choose: (language) => saveSetting(KEY, language) }
}
