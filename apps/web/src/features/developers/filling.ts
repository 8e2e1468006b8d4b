import { type Filling, fillIn } from '@papermoon/guide/fill-in'
import { createContext, useContext } from 'react'

/** The site's URL and the API key that appear in the guide's code. */
const FillingContext = createContext<Filling>({ url: '' })
export const FillingProvider = FillingContext.Provider

/** Returns a function that puts the URL and the key into a text of the guide. */
export function useFillIn(): (text: string) => string {
  const filling = useContext(FillingContext)
  return (text) => fillIn(text, filling)
}
