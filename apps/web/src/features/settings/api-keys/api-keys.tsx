import { formatSol } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { ConfirmButton } from '../../../components/form/confirm-button.tsx'
import { SecretStub } from '../../../components/form/secret-stub.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type ApiKey, cache, trpc } from '../../../lib/api/api.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import classes from '../settings.module.css'
import { ManagedList, Row } from '../settings-parts.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { SCOPES } from './scopes.ts'

/** The player's API keys. */
export function ApiKeys() {
  const keys = trpc.keys.list.useQuery()
  const [fresh, setFresh] = useState<{ name: string; key: string } | null>(null)
  const [isBack, setBack] = useState(false)
  const done = () => {
    setFresh(null)
    setBack(true)
  }
  return (
    <Panel title="API keys" level={3}>
      <p className="dim pretty">
        An API key lets a program play in your name. The{' '}
        <Link to="/developers" className="link">
          developers page
        </Link>{' '}
        has ready-to-run code for your key.
      </p>
      {fresh === null ? (
        <NewKeyForm isBack={isBack} onMade={setFresh} />
      ) : (
        <SecretStub
          label={`New key: ${fresh.name}`}
          title={fresh.name}
          note="Copy the key now and keep it safe, because we show it only once."
          text={fresh.key}
          copied={['API key copied to clipboard', 'Please select the key and copy it.']}
          actions={
            <Button look="quiet" onClick={done}>
              Done
            </Button>
          }
        />
      )}
      <ManagedList
        label="Your keys"
        query={keys}
        none="You have no API keys yet. Create a key above for your first bot."
      >
        {(key) => <KeyRow key={key.id} apiKey={key} />}
      </ManagedList>
    </Panel>
  )
}

/** An API key with its scopes, last use, expiry and revoke button. */
function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, isExpired } = apiKey
  const revoke = trpc.keys.revoke.useMutation({
    onSuccess: async () => {
      showToast({ title: 'Key revoked', message: `${name} no longer works.` })
      await cache.keys.list.invalidate()
    },
    onError: (error) => showFailure('Could not revoke the key', error),
  })
  const title = (
    <>
      {name}
      {isExpired && <span className={classes.bad}>Expired</span>}
    </>
  )
  return (
    <Row title={title} notes={describeKey(apiKey, useNow())}>
      <ConfirmButton
        action="Revoke"
        busy="Revoking..."
        of={name}
        isBusy={revoke.isPending}
        onSure={() => revoke.mutate({ id })}
      />
    </Row>
  )
}

/** Describes in lines what a key may do, what it did, and its limits. */
function describeKey(key: ApiKey, nowMs: number): string[] {
  const { scopes, createdAt, lastUsedAt, expiresAt, isExpired, networks, spendingLimit, spentToday } = key
  const facts = [
    SCOPES.filter(({ id }) => scopes.includes(id))
      .map(({ title }) => title)
      .join(' + '),
    `created ${relativeTime(createdAt, nowMs)}`,
    lastUsedAt === null ? 'never used' : `used ${relativeTime(lastUsedAt, nowMs)}`,
    ...(expiresAt === null ? [] : [isExpired ? `expired ${longDay(expiresAt)}` : `expires ${longDay(expiresAt)}`]),
  ]
  const lines = [facts.join(' · ')]
  if (spendingLimit !== null) {
    const spent = formatSol(spentToday ?? '0', 2)
    lines.push(`Can spend ${formatSol(spendingLimit, 2)} SOL a day · ${spent} SOL spent today`)
  }
  if (networks.length > 0) lines.push(`Works only from ${networks.join(', ')}`)
  return lines
}

/** Formats a date in the visitor's locale: `29 November 2026`. */
function longDay(time: string): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'long' })
}
