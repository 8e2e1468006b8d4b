import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { cache, client, type Inputs } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { showFailure } from '../../../lib/ui/toasts.ts'
import { useConfirmed } from '../security/confirm/use-confirmed.tsx'
import classes from './api-keys.module.css'
import { KeyLimitFields } from './key-limit-fields.tsx'
import { type KeyLimits, NO_LIMITS, toInput } from './key-limits.ts'
import { Option, Options } from './option.tsx'
import { SCOPES, type Scope } from './scopes.ts'

const NAME_MAX = 40
const DEFAULT_SCOPES: readonly Scope[] = ['read']

interface NewKeyFormProps {
  /** Chosen at first. */
  readonly scopes?: readonly Scope[]
  /** Whether the player returned from a fresh key: focuses the form again. */
  readonly isBack: boolean
  readonly onMade: (made: { name: string; key: string }) => void
}

/** Creates a key with a name, scopes and limits. */
export function NewKeyForm({ scopes: preset = DEFAULT_SCOPES, isBack, onMade }: NewKeyFormProps) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState(preset)
  const [limits, setLimits] = useState<KeyLimits>(NO_LIMITS)
  const confirmed = useConfirmed(client.keys.create.mutate)
  const create = useMutation({
    mutationFn: (key: Inputs['keys']['create']) => confirmed.run(key),
    onSuccess: ({ key }, { name: made }) => {
      void cache.keys.list.invalidate()
      onMade({ name: made, key })
    },
    onError: (error) => showFailure('Key Refused', getSentence(error), 'Failed to make the key'),
  })
  const mayTrade = scopes.includes('trade')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending && scopes.length > 0)
      create.mutate({
        name: name.trim(),
        scopes: [...scopes],
        ...toInput(mayTrade ? limits : { ...limits, spending: '' }),
      })
  }
  const toggle = (scope: Scope, isOn: boolean) =>
    setScopes((before) => SCOPES.map(({ id }) => id).filter((id) => (id === scope ? isOn : before.includes(id))))
  return (
    <>
      <form className={classes.form} onSubmit={submit}>
        <TextField
          label="Name of the key"
          placeholder="My first bot"
          autoComplete="off"
          autoFocus={isBack}
          maxLength={NAME_MAX}
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Options legend="It may">
          {SCOPES.map(({ id, title, note }) => (
            <Option
              key={id}
              type="checkbox"
              title={title}
              note={note}
              isOn={scopes.includes(id)}
              onChange={(isOn) => toggle(id, isOn)}
            />
          ))}
        </Options>
        <KeyLimitFields limits={limits} mayTrade={mayTrade} onChange={setLimits} />
        <Button type="submit" disabled={create.isPending || scopes.length === 0}>
          {create.isPending ? 'Making...' : scopes.length === 0 ? 'Say what it may do' : 'Make Key'}
        </Button>
      </form>
      {confirmed.dialog}
    </>
  )
}
