import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { client, type Post } from '../../lib/api/api.ts'
import { forgetPlayer, useCurrentUser } from '../../lib/api/current-user.ts'
import { getSentence, isSignedOut } from '../../lib/api/failure.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import classes from './talk.module.css'
import { useMention } from './use-mention.tsx'
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
