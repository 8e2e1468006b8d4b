import { formatSol } from '@papermoon/format'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { ManagedList, Row } from '../../../components/layout/managed-list.tsx'
import { type ApiKey, cache, client, trpc } from '../../../lib/api/api.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { showToast } from '../../../lib/ui/toasts.ts'
import { SCOPES } from './scopes.ts'

export function KeyList() {
  const keys = trpc.keys.list.useQuery()
  return (
    <ManagedList label="Your keys" query={keys} none="You have no API keys yet. Create a key above for your first bot.">
      {(key) => <KeyRow key={key.id} apiKey={key} />}
    </ManagedList>
  )
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, isExpired } = apiKey
  const onRevoked = async () => {
    showToast({ title: 'Key revoked', message: `${name} no longer works.` })
    await cache.keys.list.invalidate()
  }
  const title = (
    <>
      {name}
      {isExpired && <span className="chip on-alarm">Expired</span>}
    </>
  )
  return (
    <Row title={title} notes={describeKey(apiKey, useNow())}>
      <ActionButton
        label="Revoke"
        busy="Revoking..."
        of={name}
        isFinal
        act={() => client.keys.revoke.mutate({ id })}
        failure="Could not revoke the key"
        onSuccess={onRevoked}
      />
    </Row>
  )
}

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
    lines.push(`This key can spend ${formatSol(spendingLimit, 2)} SOL a day. Spent today: ${spent} SOL.`)
  }
  if (networks.length > 0) lines.push(`This key works only from ${networks.join(', ')}.`)
  return lines
}

/** Formats a date in the visitor's locale, such as `29 November 2026`. */
function longDay(time: string): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'long' })
}
