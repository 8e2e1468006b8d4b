import { formatSol } from '@papermoon/format'
import { useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { type ApiKey, cache, trpc } from '../../../lib/api/api.ts'
import { getSentence } from '../../../lib/api/failure.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import rows from '../settings-list.module.css'
import classes from './api-keys.module.css'
import { SCOPES } from './scopes.ts'

/** A key with its scopes, last use, expiry and revoke button. */
export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { name, scopes, createdAt, lastUsedAt, expiresAt, isExpired, networks, spendingLimit, spentToday } = apiKey
  const now = useNow()
  const titles = SCOPES.filter(({ id }) => scopes.includes(id)).map(({ title }) => title)
  return (
    <li className={rows.row}>
      <div className={rows.about}>
        <span className={rows.name}>
          {name}
          {isExpired && <span className={classes.expired}>Expired</span>}
        </span>
        <span className={classes.note}>
          {titles.join(' + ')} · made {relativeTime(createdAt, now)} ·{' '}
          {lastUsedAt === null ? 'never used' : `used ${relativeTime(lastUsedAt, now)}`}
          {expiresAt !== null && ` · ${isExpired ? 'ended' : 'ends'} ${longDay(expiresAt)}`}
        </span>
        {spendingLimit !== null && (
          <span className={classes.note}>
            Spends at most {formatSol(spendingLimit, 2)} SOL a day · {formatSol(spentToday ?? '0', 2)} SOL today
          </span>
        )}
        {networks.length > 0 && <span className={classes.note}>Only from {networks.join(', ')}</span>}
      </div>
      <Revoke apiKey={apiKey} />
    </li>
  )
}

/** Formats a date in the visitor's locale: `29 November 2026`. */
function longDay(time: string): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'long' })
}

/** Confirms once, as a bot with a revoked key stops immediately. */
function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const [isAsking, setAsking] = useState(false)
  const [isKept, setKept] = useState(false)
  const keep = () => {
    setKept(true)
    setAsking(false)
  }
  const revoke = trpc.keys.revoke.useMutation({
    onSuccess: async () => {
      showToast({ title: 'Key Revoked', message: `${name} opens nothing any more.` })
      await cache.keys.list.invalidate()
    },
    onError: (error) => showFailure('Revoke Failed', getSentence(error), 'Failed to revoke the key'),
    onSettled: () => setAsking(false),
  })
  if (!isAsking) {
    return (
      <Button look="quiet" autoFocus={isKept} aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
    )
  }
  return (
    <div className={classes.asking}>
      <Button
        autoFocus
        className={classes.danger}
        disabled={revoke.isPending}
        aria-label={`Revoke ${name} for good`}
        onClick={() => revoke.mutate({ id })}
      >
        {revoke.isPending ? 'Revoking...' : 'Revoke for good'}
      </Button>
      <Button look="quiet" disabled={revoke.isPending} onClick={keep}>
        Keep
      </Button>
    </div>
  )
}
