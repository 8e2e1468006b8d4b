import type { Language } from '@papermoon/guide'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { readStored, store } from '../../lib/ui/stored.ts'

const KEY = 'papermoon-guide-language'

interface Choice {
  /** The language chosen on this device; null before the first choice. */
  readonly chosen: string | null
  readonly choose: (language: Language) => void
}

const LanguageContext = createContext<Choice>({ chosen: null, choose: () => undefined })

/** Provides the language for all code on the page. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [chosen, setChosen] = useState(() => readStored(KEY))
  const choose = (language: Language) => {
    setChosen(language)
    store(KEY, language)
  }
  return <LanguageContext.Provider value={{ chosen, choose }}>{children}</LanguageContext.Provider>
}

export function useLanguage(): Choice {
  return useContext(LanguageContext)
}
