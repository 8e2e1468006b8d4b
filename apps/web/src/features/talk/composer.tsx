import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { client, type Post, trpc } from '../../lib/api/api.ts'
import { forgetPlayer, useCurrentUser } from '../../lib/api/current-user.ts'
import { getSentence, isSignedOut } from '../../lib/api/failure.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import classes from './talk.module.css'
import type { LivePost, Topic } from './use-posts.ts'

const POST_MAX = 280
/** Number of remaining characters from which the field shows their number. */
const FEW_LEFT = 60

interface ComposerProps {
  readonly topic: Topic
  readonly parent?: LivePost
  readonly edited?: LivePost
  readonly onDone: (post: Post) => void
  readonly onCancel?: () => void
  /** Label and max length of the text field (default: those of a post). */
  readonly words?: { readonly label: string; readonly max: number }
}

/** A form for a post, a reply or an edit. A rejected text stays in the field, with the server's sentence below it. */
export function Composer({ topic, parent, edited, onDone, onCancel, words }: ComposerProps) {
  const user = useCurrentUser()
  const ask = useAskForLogin('join the talk')
  const [text, setText] = useState(edited?.text ?? '')
  const id = useId()
  const mention = useMention(text, setText)
  const left = (words?.max ?? POST_MAX) - [...text].length
  const label = words
    ? words.label
    : edited
      ? 'Edit your post'
      : parent
        ? `Reply to ${parent.writer.username}`
        : 'Say something'

  const { mutate, isPending, error } = useMutation({
    mutationFn: (sent: string) =>
      edited
        ? client.talk.edit.mutate({ id: edited.id, text: sent })
        : client.talk.write.mutate({ ...topic, parentId: parent?.id, text: sent }),
    onSuccess: (post, sent) => {
      // Keep text that the player typed meanwhile.
      setText((now) => (now === sent ? '' : now))
      onDone(post)
    },
    onError: (refusal) => isSignedOut(refusal) && forgetPlayer(),
  })
  const failure = error && (getSentence(error) ?? 'Could not send this. Please try again.')

  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if (user === null) return ask()
    if (!isPending && text.trim() !== '' && left >= 0) mutate(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || mention.takesKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') onCancel?.()
  }
  return (
    <form className="stack gap-s" onSubmit={send} aria-label={label}>
      <textarea
        className={`field full on-raised ${classes.field}`}
        rows={parent || edited ? 1 : 2}
        value={text}
        placeholder={label}
        aria-label={label}
        aria-describedby={id}
        {...mention.fieldProps}
        aria-invalid={failure !== null || left < 0}
        // biome-ignore lint/a11y/noAutofocus: a button opened this field.
        autoFocus={parent !== undefined || edited !== undefined}
        onChange={({ currentTarget }) => mention.type(currentTarget.value.replaceAll('\n', ' '))}
        onKeyDown={onKeyDown}
      />
      {mention.list}
      <div className="row gap-s">
        <p
          id={id}
          className={`text-s grow ${failure === null ? 'dim' : 'down'}`}
          role={failure === null ? undefined : 'alert'}
        >
          {failure ?? (left <= FEW_LEFT ? `${left} characters left` : '')}
        </p>
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" disabled={isPending || text.trim() === '' || left < 0}>
          {edited ? 'Save' : parent ? 'Reply' : 'Post'}
        </Button>
      </div>
    </form>
  )
}

const NAME = /@([^@\n]{2,32})$/
const SHOWN_MAX = 5

/**
 * Suggests players while someone types a name after an @. Arrow keys select, Enter or Tab accepts, and Escape closes
 * the list.
 */
function useMention(text: string, setText: (text: string) => void) {
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
