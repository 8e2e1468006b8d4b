import { keepPreviousData } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { trpc } from '../../lib/api/api.ts'
import classes from './talk.module.css'

const NAME = /@([^@\n]{2,32})$/
const SHOWN_MAX = 5

/**
 * Suggests players while someone types a name after an @. Arrow keys select, Enter or Tab accepts, and Escape closes
 * the list.
 */
export function useMention(text: string, setText: (text: string) => void) {
  const id = useId()
  const [at, setAt] = useState(0)
  /** The text that the field contained when the player closed the list. */
  const [closed, setClosed] = useState('')
  const found = useNames(text)
  const names = text === closed ? [] : found
  const active = names[at]
  const type = (typed: string) => {
    setText(typed)
    setAt(0)
  }
  const choose = (name: string) => {
    const chosen = text.replace(NAME, () => `@${name} `)
    type(chosen)
    setClosed(chosen)
  }
  const takesKey = (event: KeyboardEvent): boolean => {
    const { key } = event
    if (active === undefined || event.shiftKey || !['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape'].includes(key))
      return false
    event.preventDefault()
    if (key === 'Escape') setClosed(text)
    else if (key === 'Enter' || key === 'Tab') choose(active)
    else setAt((at + (key === 'ArrowDown' ? 1 : names.length - 1)) % names.length)
    return true
  }
  const fieldProps = {
    'aria-autocomplete': 'list',
    'aria-controls': active && id,
    'aria-activedescendant': active && `${id}-${at}`,
  } as const
  return { type, takesKey, fieldProps, list: <Suggestions id={id} names={names} active={active} onChoose={choose} /> }
}

/** Returns names that begin with the text after the last @. Returns no names if the typed name is already complete. */
function useNames(text: string): readonly string[] {
  const typed = NAME.exec(text)?.[1]?.toLowerCase()
  const { data: found } = trpc.search.everything.useQuery(
    { query: typed ?? '' },
    { enabled: typed !== undefined, placeholderData: keepPreviousData },
  )
  if (typed === undefined || found === undefined) return []
  const names = found.players.map(({ username }) => username).filter((name) => name.toLowerCase().startsWith(typed))
  return names.some((name) => name.length === typed.length) ? [] : names.slice(0, SHOWN_MAX)
}

interface SuggestionsProps {
  readonly id: string
  readonly names: readonly string[]
  readonly active: string | undefined
  readonly onChoose: (name: string) => void
}

/** Lists players to mention. The focus stays in the text field, which handles the keys. */
function Suggestions({ id, names, active, onChoose }: SuggestionsProps) {
  if (names.length === 0) return null
  return (
    <div id={id} role="listbox" aria-label="Players to mention" tabIndex={-1} className="row gap-s wrap">
      {names.map((name, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={name === active}
          className={`on-raised ${classes.action}`}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(name)}
        >
          @{name}
        </div>
      ))}
    </div>
  )
}
