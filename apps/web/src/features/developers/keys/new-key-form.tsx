import { SOL_DECIMALS } from '@papermoon/amm'
import { useState } from 'react'
import { AmountField } from '../../../components/form/amount-field.tsx'
import { Button } from '../../../components/form/button.tsx'
import { useConfirmedMutation } from '../../../components/form/confirmation.tsx'
import { Form } from '../../../components/form/form.tsx'
import { Checks } from '../../../components/form/option.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { cache, client, type Inputs } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/api/server-now.ts'
import classes from '../form.module.css'
import { type KeyLimits, NO_LIMITS, toInput } from './key-limits.ts'
import { SCOPES, type Scope } from './scopes.ts'

const NAME_MAX = 40
/** The scopes that are selected at first. A bot that trades needs them. */
const DEFAULT_SCOPES: readonly Scope[] = ['market', 'trade']

interface NewKeyFormProps {
  /** Whether the player returned to the form after creating a key. The form then takes the focus. */
  readonly isBack: boolean
  readonly onMade: (made: { name: string; key: string }) => void
}

export function NewKeyForm({ isBack, onMade }: NewKeyFormProps) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState(DEFAULT_SCOPES)
  const [limits, setLimits] = useState<KeyLimits>(NO_LIMITS)
  const create = useConfirmedMutation((key: Inputs['keys']['create']) => client.keys.create.mutate(key), {
    failure: 'Could not create the key',
    onSuccess: ({ key }, { name: made }) => {
      void cache.keys.list.invalidate()
      onMade({ name: made, key })
    },
  })
  const mayTrade = scopes.includes('trade')
  const isReady = scopes.length > 0 && !(mayTrade && limits.isUnreadable)
  const send = () =>
    create.mutate({
      name: name.trim(),
      scopes: [...scopes],
      ...toInput(mayTrade ? limits : { ...limits, spending: '' }),
    })
  const toggle = (scope: Scope, isOn: boolean) =>
    setScopes((before) => SCOPES.map(({ id }) => id).filter((id) => (id === scope ? isOn : before.includes(id))))
  return (
    <Form className={`stack left gap-m ${classes.form}`} isBusy={create.isPending || !isReady} onSend={send}>
      <TextField
        label="Key name"
        placeholder="My first bot"
        autoComplete="off"
        autoFocus={isBack}
        maxLength={NAME_MAX}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checks legend="Permissions" choices={SCOPES} isOn={(id) => scopes.includes(id)} onChange={toggle} />
      <KeyLimitFields limits={limits} mayTrade={mayTrade} onChange={setLimits} />
      <Button type="submit" disabled={create.isPending || !isReady}>
        {create.isPending ? 'Creating...' : scopes.length === 0 ? 'Choose a permission' : 'Create key'}
      </Button>
    </Form>
  )
}

const DAY_MS = 24 * 3_600_000
/** Max number of days until a key expires that the server allows. */
const EXPIRY_DAYS_MAX = 366

interface KeyLimitFieldsProps {
  readonly limits: KeyLimits
  /** Whether the key may trade, because only a key that may trade can have a spending limit. */
  readonly mayTrade: boolean
  readonly onChange: (limits: KeyLimits) => void
}

function KeyLimitFields({ limits, mayTrade, onChange }: KeyLimitFieldsProps) {
  const [today] = useState(() => serverNow())
  return (
    <details className={classes.limits}>
      <summary className="py-s dim hover-ink">More limits</summary>
      <div className="stack gap-m">
        {mayTrade && (
          <AmountField
            label="Spending limit (SOL a day)"
            description="The key can spend this much on buys and launches each day (UTC). Leave empty for no limit."
            placeholder="10"
            decimals={SOL_DECIMALS}
            value={limits.spending}
            onAmount={(spending, isUnreadable) => onChange({ ...limits, spending, isUnreadable })}
          />
        )}
        <TextField
          type="date"
          label="Last valid day"
          description="The key stops working after this day. Leave empty to use the key until you revoke it."
          min={dayText(today)}
          max={dayText(today + (EXPIRY_DAYS_MAX - 1) * DAY_MS)}
          value={limits.lastDay}
          onChange={(event) => onChange({ ...limits, lastDay: event.currentTarget.value })}
        />
        <TextField
          label="Allowed networks"
          description="Enter IP addresses or CIDR ranges. Leave empty to allow all networks."
          placeholder="203.0.113.7, 10.0.0.0/8"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={limits.networks}
          onChange={(event) => onChange({ ...limits, networks: event.currentTarget.value })}
        />
      </div>
    </details>
  )
}

function dayText(timeMs: number): string {
  const time = new Date(timeMs)
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
