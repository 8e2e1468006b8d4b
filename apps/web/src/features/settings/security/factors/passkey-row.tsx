import { useMutation } from '@tanstack/react-query'
import { cache, client, type Passkey } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { relativeTime } from '../../../../lib/format/relative-time.ts'
import { useNow } from '../../../../lib/hooks/use-now.ts'
import { showFailure, showToast } from '../../../../lib/ui/toasts.ts'
import rows from '../../settings-list.module.css'
import { AskOnce } from '../account/ask-once.tsx'
import { useConfirmed } from '../confirm/use-confirmed.tsx'
import classes from './factors.module.css'

/** A passkey with its creation, last use and remove button. */
export function PasskeyRow({ passkey: { id, name, domain, isSynced, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const now = useNow()
  const confirmed = useConfirmed(client.passkeys.remove.mutate)
  const remove = useMutation({
    mutationFn: () => confirmed.run({ id }),
    onSuccess: async () => {
      showToast({ title: 'Passkey Removed', message: `${name} signs in no more. Delete it on your device, too.` })
      await cache.passkeys.list.invalidate()
    },
    onError: (error) => showFailure('Passkey Not Removed', getSentence(error), 'Failed to remove the passkey'),
  })
  const facts = [
    ...(domain === location.hostname ? [] : [`for ${domain}`]),
    ...(isSynced ? ['on all your devices'] : []),
    `added ${relativeTime(createdAt, now)}`,
    lastUsedAt === null ? 'never used' : `used ${relativeTime(lastUsedAt, now)}`,
  ]
  return (
    <li className={rows.row}>
      <div className={rows.about}>
        <span className={rows.name}>{name}</span>
        <span className={classes.note}>{facts.join(' · ')}</span>
      </div>
      <AskOnce action="Remove" busy="Removing..." of={name} isBusy={remove.isPending} onSure={() => remove.mutate()} />
      {confirmed.dialog}
    </li>
  )
}
