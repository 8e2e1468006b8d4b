import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { client, type Post, trpc } from '../../lib/api/api.ts'
import { forgetPlayer, useCurrentUser } from '../../lib/api/current-user.ts'
import { getSentence, isSignedOut } from '../../lib/api/failure.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import classes from './talk.module.css'
import type { Topic } from './use-posts.ts'

const POST_MAX = 280
/** From here on the characters left are shown. */
const FEW_LEFT = 60
const NAME = /@([^@\n]{2,32})$/

type Named = Post['mentions'][number]

interface ComposerProps {
  readonly topic: Topic
  readonly parent?: Post
  readonly edited?: Post
  readonly onDone: (post: Post) => void
  readonly onCancel?: () => void
  /** What is asked for; by default a post. */
  readonly words?: { readonly label: string; readonly max: number }
}

/** Where a post, a reply or an edit is typed. What is refused stays in the field, with the server's sentence under it. */
export function Composer({ topic, parent, edited, onDone, onCancel, words }: ComposerProps) {
  const user = useCurrentUser()
  const ask = useAskForLogin('join the talk')
  const [text, setText] = useState(edited?.text ?? '')
  const [named, setNamed] = useState<readonly Named[]>(edited?.mentions ?? [])
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const left = (words?.max ?? POST_MAX) - [...text].length
  const label = words
    ? words.label
    : edited
      ? 'Edit your post'
      : parent
        ? `Answer ${parent.writer.username}`
        : 'Say something'

  const send = async (event?: FormEvent) => {
    event?.preventDefault()
    if (user === null) return ask(null, 'register')
    if (isBusy || text.trim() === '' || left < 0) return
    const mentions = named.filter(({ username }) => text.includes(`@${username}`)).map((player) => player.id)
    setBusy(true)
    setFailure(null)
    try {
      const post = edited
        ? await client.talk.edit.mutate({ id: edited.id, text, mentions })
        : await client.talk.write.mutate({ ...topic, parentId: parent?.id, text, mentions })
      // What was typed meanwhile stays.
      setText((now) => (now === text ? '' : now))
      setNamed([])
      onDone(post)
    } catch (error) {
      if (isSignedOut(error)) forgetPlayer()
      setFailure(getSentence(error) ?? 'This was not sent. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape') onCancel?.()
  }
  const choose = (player: Named) => {
    setText((before) => before.replace(NAME, `@${player.username} `))
    setNamed((before) => [...before, player])
    field.current?.focus()
  }
  return (
    <form className={classes.composer} onSubmit={send} aria-label={label}>
      <textarea
        ref={field}
        className={classes.field}
        rows={parent || edited ? 1 : 2}
        value={text}
        placeholder={label}
        aria-label={label}
        aria-describedby={id}
        aria-invalid={failure !== null || left < 0}
        // Opened by a press of its own: the reader goes on there.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus={parent !== undefined || edited !== undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value.replaceAll('\n', ' '))}
        onKeyDown={onKeyDown}
      />
      <Suggestions text={text} onChoose={choose} />
      <div className={classes.send}>
        <p id={id} className={classes.hint} role={failure === null ? undefined : 'alert'}>
          {failure ?? (left <= FEW_LEFT ? `${left} left` : '')}
        </p>
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" disabled={isBusy || text.trim() === '' || left < 0}>
          {edited ? 'Save' : parent ? 'Answer' : 'Post'}
        </Button>
      </div>
    </form>
  )
}

/** Players whose names begin like what follows the last @. */
function Suggestions({ text, onChoose }: { text: string; onChoose: (player: Named) => void }) {
  const typed = NAME.exec(text)?.[1] ?? null
  const found = trpc.search.everything.useQuery({ query: typed ?? '' }, { enabled: typed !== null }).data
  if (typed === null || found === undefined || found.players.length === 0) return null
  return (
    <ul className={classes.suggestions} aria-label="Players to mention">
      {found.players.slice(0, 5).map(({ id, username }) => (
        <li key={id}>
          <button type="button" className={classes.chip} onClick={() => onChoose({ id, username })}>
            @{username}
          </button>
        </li>
      ))}
    </ul>
  )
}
