import { useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { useConfirmedMutation } from '../../../components/form/confirmation.tsx'
import { Form } from '../../../components/form/form.tsx'
import { Checks } from '../../../components/form/option.tsx'
import { Segmented } from '../../../components/form/segmented.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { cache, client, type Fair, type Inputs, type Webhook } from '../../../lib/api/api.ts'
import { useFairList } from '../../../lib/fairs/use-fair-list.ts'
import { toPlainDigits } from '../../../lib/format/plain-digits.ts'
import classes from '../form.module.css'
import type { MadeSecret } from './webhook-row.tsx'
import { describeLack, EVENT_CHOICES, FAIR_CHOICE, parseTokenIds, toEvents } from './webhook-status.ts'

/** Max length of a URL that the server accepts, in characters. */
const URL_CHARACTERS_MAX = 500
const FAIRS_MAX = 10

const FORMATS = [
  { value: 'standard', label: 'Signed JSON' },
  { value: 'discord', label: 'Discord' },
] as const

const PLACEHOLDERS = {
  standard: 'https://bot.example.org/papermoon',
  discord: 'https://discord.com/api/webhooks/…',
} as const

interface NewWebhookFormProps {
  /** Whether the player returned to the form after seeing a secret. The form then takes the focus. */
  readonly isBack: boolean
  readonly onMade: (made: MadeSecret) => void
}

export function NewWebhookForm({ isBack, onMade }: NewWebhookFormProps) {
  const [url, setUrl] = useState('')
  const [format, setFormat] = useState<Webhook['format']>('standard')
  const [chosen, setChosen] = useState<readonly string[]>(['fills', 'notices'])
  const [tokens, setTokens] = useState('')
  const own = useOwnFairs()
  const [chosenFairs, setFairs] = useState<readonly number[]>([])
  const fairs = chosenFairs.filter((id) => own.some((fair) => fair.id === id))
  const create = useConfirmedMutation(
    (webhook: Inputs['webhooks']['create']) => client.webhooks.create.mutate(webhook),
    {
      failure: 'Could not add the webhook',
      onSuccess: ({ url: made, secret }) => {
        void cache.webhooks.list.invalidate()
        onMade({ host: new URL(made).host, secret })
      },
    },
  )
  const isOfFairs = fairs.length > 0
  const takesTokens = !isOfFairs && ['trades', 'rugs', 'posts'].some((id) => chosen.includes(id))
  const tokenIds = takesTokens ? parseTokenIds(tokens) : null
  const lack = describeLack(chosen, isOfFairs)
  const isReady = lack === null && tokenIds !== 'wrong'
  const send = () => {
    if (tokenIds === 'wrong') return
    create.mutate({ url: url.trim(), format, events: toEvents(chosen), tokenIds, fairs: isOfFairs ? fairs : null })
  }
  return (
    <Form className={`stack left gap-m ${classes.form}`} isBusy={create.isPending || !isReady} onSend={send}>
      <TextField
        label="URL"
        type="url"
        placeholder={PLACEHOLDERS[format]}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus={isBack}
        maxLength={URL_CHARACTERS_MAX}
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Segmented label="Format" options={FORMATS} value={format} onChange={setFormat} />
      <Checks
        legend="Send these events"
        choices={own.length > 0 ? [...EVENT_CHOICES, FAIR_CHOICE] : EVENT_CHOICES}
        isOn={(id) => chosen.includes(id)}
        onChange={(id, isOn) => setChosen(toggled(id, isOn))}
      />
      {/* If no fair is chosen, the webhook reports events of the main game. */}
      {own.length > 0 && (
        <Checks
          legend="Send events from these fairs instead of the main market"
          choices={own.map(({ id, name }) => ({ id, title: name }))}
          isOn={(id) => fairs.includes(id)}
          isDisabled={(id) => fairs.length === FAIRS_MAX && !fairs.includes(id)}
          onChange={(id, isOn) => setFairs(toggled(id, isOn))}
        />
      )}
      {takesTokens && (
        <TextField
          className={classes.tokens}
          label="Only these tokens"
          description="Enter the IDs from the tokens’ URLs. Leave empty for all tokens."
          placeholder="7, 12"
          autoComplete="off"
          inputMode="numeric"
          error={tokenIds === 'wrong' && 'Separate the IDs with commas, such as 7, 12'}
          value={tokens}
          onChange={(event) => setTokens(toPlainDigits(event.currentTarget.value))}
        />
      )}
      <Button type="submit" disabled={create.isPending || !isReady}>
        {create.isPending ? 'Adding...' : (lack ?? 'Add webhook')}
      </Button>
    </Form>
  )
}

/** Returns the upcoming and running fairs that the player has joined or hosts. */
function useOwnFairs(): readonly Fair[] {
  const { data } = useFairList()
  if (data === undefined) return []
  return [...data.running, ...data.upcoming].filter(({ me }) => me !== null && !me.hasLeft)
}

const toggled = <T,>(one: T, isOn: boolean) => {
  return (before: readonly T[]) => (isOn ? [...before, one] : before.filter((other) => other !== one))
}
