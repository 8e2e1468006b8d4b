import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { TextField } from '../../../../components/form/text-field.tsx'
import { cache, client } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { createPasskey, PasskeyDialogError } from '../../../../lib/api/passkeys.ts'
import { showFailure, showToast } from '../../../../lib/ui/toasts.ts'
import { useConfirmed } from '../confirm/use-confirmed.tsx'
import classes from './factors.module.css'

const NAME_MAX = 40

/** Creates a passkey with the browser's dialog and saves it under a name. */
export function NewPasskeyForm({ count }: { count: number }) {
  const [name, setName] = useState('')
  // Confirm before the browser's dialog, whose passkey would otherwise be refused afterwards.
  const confirmed = useConfirmed(client.passkeys.beginAdd.mutate)
  const add = useMutation({
    mutationFn: async (title: string) => {
      const credential = await createPasskey(await confirmed.run())
      await client.passkeys.add.mutate({ name: title, credential })
    },
    onSuccess: async (_added, title) => {
      showToast({ title: 'Passkey Added', message: `${title} signs you in from now on.` })
      setName('')
      await cache.passkeys.list.invalidate()
    },
    onError: (error) => {
      const sentence = error instanceof PasskeyDialogError ? error.message : getSentence(error)
      showFailure('Passkey Not Added', sentence, 'Failed to add the passkey')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!add.isPending) add.mutate(name.trim() || `Passkey ${count + 1}`)
  }
  return (
    <>
      <form className={classes.line} onSubmit={submit}>
        <TextField
          label="Name of the passkey"
          placeholder="My phone"
          autoComplete="off"
          maxLength={NAME_MAX}
          className={classes.grow}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" disabled={add.isPending}>
          {add.isPending ? 'Adding...' : 'Add Passkey'}
        </Button>
      </form>
      {confirmed.dialog}
    </>
  )
}
