import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { SearchIcon } from '../../../components/layout/icons.tsx'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { getSentence, NO_RESPONSE } from '../../../lib/api/failure.ts'
import { useShownScheme } from '../../../lib/ui/color-scheme.ts'
import { dismissToast } from '../../../lib/ui/toasts.ts'
import { filterEntries, toActions, toPages } from './palette-entries.ts'
import { forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts'
import classes from './search-palette.module.css'
import { type Item, type Section, toSections } from './sections.tsx'
import { useFound } from './use-found.ts'

const TEXT_MAX = 64
const LIST_ID = 'palette-list'

/** The global search: a dialog with a combobox, which is open as long as it is rendered. */
export function SearchPalette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog)
  const [text, setText] = useState('')
  const [recent, setRecent] = useState(recentSearches)
  const found = useFound(text)
  const sections = useSections(text, recent, found.data)
  const items = sections.flatMap((section) => section.items)
  const choose = useChoice({ text, setText, onClose })
  const { active, point, onKeyDown } = useActiveItem({ items, text, isCurrent: found.isCurrent, choose })
  const status = toStatus(text, items.length, found)

  const isBlank = text.trim() === ''
  const hasFailed = found.error !== null && found.isCurrent && !isBlank

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape closes for keys.
    <dialog
      ref={dialog}
      className={`on-raised ink round-l high-shadow ${classes.dialog}`}
      aria-modal="true"
      aria-label="Search everything"
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={`stack ${classes.sheet}`}>
        <Field text={text} onText={setText} activeId={active?.id} onKeyDown={onKeyDown} onClose={onClose} />
        <div className={`p-s grow scrolls ${classes.results}`}>
          <div id={LIST_ID} role="listbox" aria-label="Results" tabIndex={-1}>
            {sections.map((section) => (
              <SectionRows
                key={section.title}
                section={section}
                activeId={active?.id}
                choose={choose}
                onPoint={point}
              />
            ))}
          </div>
          {isBlank && recent.length > 0 && (
            <button
              type="button"
              className="small touch px-s underlined"
              onClick={() => {
                forgetSearches()
                setRecent([])
              }}
            >
              Clear recent searches
            </button>
          )}
          {hasFailed ? (
            <Failure error={found.error} onRetry={found.retry} />
          ) : (
            <p className={status.isVisible ? 'nothing' : 'visually-hidden'} role="status">
              {status.words}
            </p>
          )}
        </div>
        <p className="small fixed p-s-m torn-top phone-hidden" aria-hidden="true">
          Press <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open and <kbd>Esc</kbd> to close
        </p>
      </div>
    </dialog>
  )
}

interface FieldProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly activeId: string | undefined
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onClose: () => void
}

function Field({ text, onText, activeId, onKeyDown, onClose }: FieldProps) {
  return (
    <div className={`row gap-s fixed p-s-m torn-bottom ${classes.field}`}>
      <SearchIcon size={22} className={`dim fixed ${classes.glass}`} />
      <input
        className={`grow ink text-l no-outline ${classes.input}`}
        type="text"
        role="combobox"
        aria-label="Search tokens, players, pages and actions"
        aria-expanded={activeId !== undefined}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder="Tokens, players, pages, actions"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={TEXT_MAX}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" className="icon-button" aria-label="Close the search" onClick={onClose}>
        <span aria-hidden="true">✕</span>
      </button>
    </div>
  )
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="nothing" role="alert">
      {getSentence(error) ?? NO_RESPONSE}{' '}
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

interface SectionRowsProps {
  readonly section: Section
  readonly activeId: string | undefined
  readonly choose: (item: Item) => void
  readonly onPoint: (item: Item) => void
}

function SectionRows({ section, activeId, choose, onPoint }: SectionRowsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box.
    <div role="group" aria-label={section.title}>
      <div className="small p-s bold" aria-hidden="true">
        {section.title}
      </div>
      {section.items.map((item) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
        <div
          key={item.id}
          id={item.id}
          className={`row gap-m touch p-xs-s round-s pointer ${classes.row}`}
          role="option"
          aria-selected={item.id === activeId}
          // Keep the focus in the search field.
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => item.id !== activeId && onPoint(item)}
          onClick={() => choose(item)}
        >
          <span className={`fixed emoji text-xl boxed ${classes.sign}`} aria-hidden="true">
            {item.sign}
          </span>
          <span className="cut fit semibold">{item.name}</span>
          {item.beside}
        </div>
      ))}
    </div>
  )
}

function useSections(text: string, recent: readonly string[], found: ReturnType<typeof useFound>['data']): Section[] {
  const user = useCurrentUser()
  const shown = useShownScheme()
  return toSections({
    recent: text.trim() === '' ? recent : [],
    found,
    pages: filterEntries(toPages(user), text),
    actions: filterEntries(toActions(user, shown), text),
  })
}

/** Opens the dialog as a modal, focuses its field, and returns the focus on close. */
function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const shown = dialog.current
    dismissToast()
    shown?.showModal()
    shown?.querySelector('input')?.focus()
    return () => shown?.close()
  }, [dialog])
}

interface Choice {
  readonly text: string
  readonly setText: (text: string) => void
  readonly onClose: () => void
}

function useChoice({ text, setText, onClose }: Choice): (item: Item) => void {
  const router = useRouter()
  return (item) => {
    if (item.text !== undefined) return setText(item.text)
    rememberSearch(text)
    onClose()
    item.act?.()
    if (item.to === undefined) return
    if (item.isOutside) location.assign(item.to)
    else void router.navigate({ to: item.to })
  }
}

interface ActiveItemInput {
  readonly items: readonly Item[]
  readonly text: string
  readonly isCurrent: boolean
  readonly choose: (item: Item) => void
}

/**
 * Returns the row that Enter opens: the selected row, or else the first one. If the player presses Enter before the
 * response for the typed text arrives, Enter waits for it. Enter therefore never opens a result for an older text.
 */
function useActiveItem({ items, text, isCurrent, choose }: ActiveItemInput) {
  const [pointed, setPointed] = useState({ id: '', text: '' })
  const [entered, setEntered] = useState<string | null>(null)
  const index = Math.max(0, pointed.text === text ? items.findIndex(({ id }) => id === pointed.id) : 0)
  const active = items[index]
  const isWaiting = entered === text && isCurrent
  useEffect(() => {
    if (!isWaiting) return
    setEntered(null)
    if (active !== undefined) choose(active)
  })
  const go = (to: number) => {
    const item = items[(to + items.length) % items.length]
    if (item === undefined) return
    setPointed({ id: item.id, text })
    document.getElementById(item.id)?.scrollIntoView({ block: 'nearest' })
  }
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: Math.min(index + 5, items.length - 1),
    PageUp: Math.max(index - 5, 0),
  }
  return {
    active,
    point: (item: Item) => setPointed({ id: item.id, text }),
    onKeyDown: (event: KeyboardEvent) => {
      // Ignore Enter while an input method composes a character, because Enter then only ends the composition.
      if (event.nativeEvent.isComposing) return
      const step = steps[event.key]
      if (step !== undefined) {
        event.preventDefault()
        go(step)
      } else if (event.key === 'Enter') {
        event.preventDefault()
        if (isCurrent || pointed.text === text) active !== undefined && choose(active)
        else setEntered(text)
      }
    },
  }
}

function toStatus(text: string, count: number, { isCurrent }: { isCurrent: boolean }) {
  if (text.trim() === '') return { words: '', isVisible: false }
  if (!isCurrent) return { words: count === 0 ? 'Searching…' : '', isVisible: count === 0 }
  if (count === 0) return { words: `No results for “${text.trim()}”.`, isVisible: true }
  return { words: `${count} ${count === 1 ? 'result' : 'results'}`, isVisible: false }
}
