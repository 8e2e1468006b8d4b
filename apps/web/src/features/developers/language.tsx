import type { Language } from '@papermoon/guide'
import { createContext, type ReactNode, useContext, useState } from 'react'

const KEY = 'papermoon-guide-language'

interface Choice {
  /** The choice on this device; null before the first one. */
  readonly chosen: string | null
  readonly choose: (language: Language) => void
}

const LanguageContext = createContext<Choice>({ chosen: null, choose: () => undefined })

/** One choice of a language for all code of the page, kept on the device. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [chosen, setChosen] = useState(readChosen)
  const choose = (language: Language) => {
    setChosen(language)
    try {
      localStorage.setItem(KEY, language)
    } catch {
      // Storage is blocked: applies to this visit only.
    }
  }
  return <LanguageContext.Provider value={{ chosen, choose }}>{children}</LanguageContext.Provider>
}

export function useLanguage(): Choice {
  return useContext(LanguageContext)
}

function readChosen(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
