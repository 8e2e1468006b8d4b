import { useState } from 'react'
import { ActionButton } from '../../../../components/form/action-button.tsx'
import { Button } from '../../../../components/form/button.tsx'
import { useConfirmedMutation } from '../../../../components/form/confirmation.tsx'
import { Form } from '../../../../components/form/form.tsx'
import { TextField } from '../../../../components/form/text-field.tsx'
import { ManagedList, Row } from '../../../../components/layout/managed-list.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { cache, client, type Passkey, trpc } from '../../../../lib/api/api.ts'
import { canUsePasskeys, createPasskey } from '../../../../lib/api/passkeys.ts'
import { relativeTime } from '../../../../lib/format/relative-time.ts'
import { useNow } from '../../../../lib/hooks/use-now.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'

const NAME_MAX = 40

export function PasskeysPanel() {
  const list = trpc.passkeys.list.useQuery()
  return (
    <Panel title="Passkeys">
      <p className="dim pretty">
        Log in with your fingerprint, your face or your device’s PIN. A passkey replaces both the password and the code,
        and nobody can guess it, steal it from us or use it on a fake page. Add a second passkey or an authenticator app
        too, because you need one to remove a lost passkey. If you lose every factor, contact this server’s operator.
      </p>
      {list.data !== undefined && <AddPasskey {...list.data} />}
      <ManagedList label="Your passkeys" query={{ ...list, data: list.data?.passkeys }} none="">
        {(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />}
      </ManagedList>
    </Panel>
  )
}

function AddPasskey({ origin, passkeys }: { origin: string | null; passkeys: readonly Passkey[] }) {
  const obstacle = findObstacle(origin)
  return obstacle === null ? <NewPasskeyForm count={passkeys.length} /> : <p className="set-apart">{obstacle}</p>
}

/** Returns a sentence that says why no passkey can be added here. Returns null if a passkey can be added. */
function findObstacle(origin: string | null): string | null {
  if (origin === null) return 'Passkeys work only over HTTPS or on localhost, and this site uses neither.'
  if (origin !== location.origin) return `Passkeys work only at ${origin}. Please open Settings at that address.`
  return canUsePasskeys() ? null : 'This browser does not support passkeys.'
}

function NewPasskeyForm({ count }: { count: number }) {
  const [name, setName] = useState('')
  const save = async (title: string) => {
    // Confirm the player's identity before the browser's dialog opens, because the server would otherwise reject the
    // new passkey.
    const credential = await createPasskey(await client.passkeys.beginAdd.mutate())
    await client.passkeys.add.mutate({ name: title, credential })
  }
  const add = useConfirmedMutation(save, {
    failure: 'Could not add the passkey',
    onSuccess: async (_added, title) => {
      showToast({ title: 'Passkey added', message: `You can now log in with ${title}.` })
      setName('')
      await cache.passkeys.list.invalidate()
    },
  })
  return (
    <Form
      className="flex far wrap gap-m"
      isBusy={add.isPending}
      onSend={() => add.mutate(name.trim() || `Passkey ${count + 1}`)}
    >
      <TextField
        label="Passkey name"
        placeholder="My phone"
        autoComplete="off"
        maxLength={NAME_MAX}
        className="grow-wrap"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" disabled={add.isPending}>
        {add.isPending ? 'Adding...' : 'Add passkey'}
      </Button>
    </Form>
  )
}

function PasskeyRow({ passkey: { id, name, domain, isSynced, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const now = useNow()
  const onRemoved = async () => {
    const message = `You can no longer log in with ${name}. Delete the passkey on your device too.`
    showToast({ title: 'Passkey removed', message })
    await cache.passkeys.list.invalidate()
  }
  const facts = [
    ...(domain === location.hostname ? [] : [`for ${domain}`]),
    ...(isSynced ? ['synced across your devices'] : []),
    `added ${relativeTime(createdAt, now)}`,
    lastUsedAt === null ? 'never used' : `used ${relativeTime(lastUsedAt, now)}`,
  ]
  return (
    <Row title={name} notes={[facts.join(' · ')]}>
      <ActionButton
        label="Remove"
        busy="Removing..."
        of={name}
        isFinal
        act={() => client.passkeys.remove.mutate({ id })}
        failure="Could not remove the passkey"
        onSuccess={onRemoved}
      />
    </Row>
  )
}
