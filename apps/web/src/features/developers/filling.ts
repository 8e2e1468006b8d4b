import { type Filling, fillIn } from '@papermoon/guide/fill-in'
import { createContext, useContext } from 'react'

/** This site's address and the key that was made on this page, for the guide's code. */
const FillingContext = createContext<Filling>({ url: '' })
export const FillingProvider = FillingContext.Provider

/** Returns a function that fills a text of the guide in. */
export function useFillIn(): (text: string) => string {
  const filling = useContext(FillingContext)
  return (text) => fillIn(text, filling)
}
