import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { TextField } from '../../components/form/text-field.tsx'
import classes from './emoji-picker.module.css'
import { findEmojis } from './emoji-presets.ts'

interface EmojiPickerProps {
  readonly value: string
  readonly onPick: (emoji: string) => void
}

/** Lets the player pick a preset emoji with the pointer, the arrow keys or a search. */
export function EmojiPicker({ value, onPick }: EmojiPickerProps) {
  const [open, setOpen] = useState(false)
  const panel = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    toggle.current?.focus()
  }
  const pick = (emoji: string) => {
    onPick(emoji)
    close()
  }
  return (
    <div className="stack gap-xs">
      <span className="semibold">Emoji</span>
      <button
        ref={toggle}
        type="button"
        className={`row gap-m px-m round-s on-sunken ink row-high edge-strong text-left ${classes.toggle}`}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        <span className="emoji text-2xl solid">{value}</span>
        <span>{open ? 'Close the emoji picker' : 'Choose an emoji'}</span>
        <span aria-hidden="true">{open ? '▴' : '▾'}</span>
      </button>
      <div id={panel} hidden={!open}>
        {open && <EmojiPanel value={value} onPick={pick} onClose={close} />}
      </div>
    </div>
  )
}

function EmojiPanel({ value, onPick, onClose }: EmojiPickerProps & { readonly onClose: () => void }) {
  const [search, setSearch] = useState('')
  const found = findEmojis(search)
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  const reachable = found.some(({ emoji }) => emoji === value) ? value : found[0]?.emoji
  return (
    <div className="mt-s p-m round-m on-raised edge">
      <TextField
        label="Search emojis"
        type="search"
        autoComplete="off"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Stop Enter from submitting the launch form.
          if (event.key === 'Enter') event.preventDefault()
          closeOnEscape(event)
        }}
      />
      <div
        className={`grid mt-m gap-xs scrolls ${classes.grid}`}
        role="radiogroup"
        aria-label="Emoji"
        onKeyDown={(event) => {
          moveFocus(event)
          closeOnEscape(event)
        }}
      >
        {found.map(({ emoji, words }) => (
          // biome-ignore lint/a11y/useSemanticElements: a radio input cannot be a 44-pixel picture with roving focus.
          <button
            key={emoji}
            type="button"
            role="radio"
            className={`emoji round-s text-2xl solid focus-inside ${classes.emoji}`}
            aria-checked={emoji === value}
            aria-label={words}
            tabIndex={emoji === reachable ? 0 : -1}
            onClick={() => onPick(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
      <p className="mt-s dim" role="status">
        {found.length === 0 ? 'No emoji found.' : ''}
      </p>
    </div>
  )
}

/** Lets arrow keys, Home and End move through the grid in its visible order. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('[role=radio]')]
  const at = items.indexOf(document.activeElement as HTMLButtonElement)
  const first = items[0]
  if (at === -1 || first === undefined) return
  const columns = Math.max(1, items.filter((item) => item.offsetTop === first.offsetTop).length)
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -at,
    End: items.length - 1 - at,
  }
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  items[Math.min(items.length - 1, Math.max(0, at + step))]?.focus()
}
