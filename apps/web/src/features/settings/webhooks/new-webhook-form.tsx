import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { Segmented } from '../../../components/form/segmented.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { cache, client, type Inputs, type Webhook } from '../../../lib/api/api.ts'
import classes from '../api-keys/form.module.css'
import { Option, Options } from '../api-keys/option.tsx'
import { useConfirmedMutation } from '../security/confirm/use-confirmed.tsx'
import type { MadeSecret } from './webhook-row.tsx'
import { EVENT_CHOICES, parseTokenIds, toEvents } from './webhook-status.ts'

/** The server's limit. */
const URL_CHARACTERS_MAX = 500

const FORMATS = [
  { value: 'standard', label: 'Signed JSON' },
  { value: 'discord', label: 'Discord' },
] as const

const PLACEHOLDERS = {
  standard: 'https://bot.example.org/papermoon',
  discord: 'https://discord.com/api/webhooks/…',
} as const

interface NewWebhookFormProps {
  /** Whether the player returned from a fresh secret: focuses the form again. */
  readonly isBack: boolean
  readonly onMade: (made: MadeSecret) => void
}

/** Adds a webhook: its address, its shape and what it gets. */
export function NewWebhookForm({ isBack, onMade }: NewWebhookFormProps) {
  const [url, setUrl] = useState('')
  const [format, setFormat] = useState<Webhook['format']>('standard')
  const [chosen, setChosen] = useState<readonly string[]>(['fills', 'notices'])
  const [tokens, setTokens] = useState('')
  const create = useConfirmedMutation(
    (webhook: Inputs['webhooks']['create']) => client.webhooks.create.mutate(webhook),
    {
      failure: ['Webhook Refused', 'Failed to add the webhook'],
      onSuccess: ({ url: made, secret }) => {
        void cache.webhooks.list.invalidate()
        onMade({ host: new URL(made).host, secret })
      },
    },
  )
  const takesTokens = ['trades', 'rugs', 'posts'].some((id) => chosen.includes(id))
  const tokenIds = takesTokens ? parseTokenIds(tokens) : null
  const isReady = chosen.length > 0 && tokenIds !== 'wrong'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending || !isReady) return
    create.mutate({ url: url.trim(), format, events: toEvents(chosen), tokenIds })
  }
  return (
    <>
      <form className={classes.form} onSubmit={submit}>
        <TextField
          label="Address"
          type="url"
          placeholder={PLACEHOLDERS[format]}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus={isBack}
          maxLength={URL_CHARACTERS_MAX}
          required
          withAsterisk={false}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Segmented label="Shape of the messages" options={FORMATS} value={format} onChange={setFormat} />
        <EventOptions chosen={chosen} onChange={setChosen} />
        {takesTokens && <TokensField value={tokens} isWrong={tokenIds === 'wrong'} onChange={setTokens} />}
        <Button type="submit" disabled={create.isPending || !isReady}>
          {create.isPending ? 'Adding...' : chosen.length === 0 ? 'Say what it gets' : 'Add Webhook'}
        </Button>
      </form>
      {create.dialog}
    </>
  )
}

interface EventOptionsProps {
  readonly chosen: readonly string[]
  readonly onChange: (change: (before: readonly string[]) => readonly string[]) => void
}

function EventOptions({ chosen, onChange }: EventOptionsProps) {
  const toggle = (id: string, isOn: boolean) =>
    onChange((before) => (isOn ? [...before, id] : before.filter((other) => other !== id)))
  return (
    <Options legend="Send it">
      {EVENT_CHOICES.map(({ id, title, note }) => (
        <Option
          key={id}
          type="checkbox"
          title={title}
          note={note}
          isOn={chosen.includes(id)}
          onChange={(isOn) => toggle(id, isOn)}
        />
      ))}
    </Options>
  )
}

interface TokensFieldProps {
  readonly value: string
  readonly isWrong: boolean
  readonly onChange: (tokens: string) => void
}

function TokensField({ value, isWrong, onChange }: TokensFieldProps) {
  return (
    <TextField
      className={classes.tokens}
      label="Only of these tokens"
      description="The numbers in their addresses. Empty: of all tokens."
      placeholder="7, 12"
      autoComplete="off"
      inputMode="numeric"
      error={isWrong && 'Numbers with commas between them, such as 7, 12'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
