import { useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { client, type FoundPlayer, type Inputs, trpc } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import { type Act, Acts, Records } from './records.tsx'

export function Players({ isOperator }: { isOperator: boolean }) {
  const [search, setSearch] = useState('')
  const query = trpc.admin.findPlayers.useQuery({ search }, { enabled: search !== '', staleTime: 0, retry: false })
  return (
    <Records
      title="Players"
      query={query}
      onSearch={setSearch}
      hint="Search for a player."
      head={({ id, username, role, standing, mutedUntil, acts }) => [
        `${username} (${id})`,
        [role, standing, mutedUntil !== null && `muted until ${toMinute(mutedUntil)}`, counted(acts, 'action')]
          .filter(Boolean)
          .join(' · '),
      ]}
      detail={(player) => <Player player={player} isOperator={isOperator} onChanged={() => void query.refetch()} />}
    />
  )
}

interface PlayerProps {
  readonly player: FoundPlayer
  readonly isOperator: boolean
  readonly onChanged: () => void
}

function Player({ player: { id: userId, role, standing, createdAt }, isOperator, onChanged }: PlayerProps) {
  const log = trpc.admin.playerLog.useQuery({ userId }, { staleTime: 0 })
  const [seen, setSeen] = useState<readonly { title: string; note: string }[] | null>(null)
  const act = (label: string, act: Inputs['admin']['act']['act'], minutes?: 60 | 1_440 | 10_080): Act => ({
    label,
    run: (reason) => client.admin.act.mutate({ userId, act, minutes, reason }),
  })
  const look = (label: string, at: Inputs['admin']['look']['at']): Act => ({
    label,
    run: async (reason) => setSeen(await client.admin.look.mutate({ userId, at, reason })),
  })
  const give = (label: string, role: Inputs['admin']['setRole']['role']): Act => ({
    label,
    run: (reason) => client.admin.setRole.mutate({ userId, role, reason }),
  })
  const acts: Act[] = [
    ...[act('Add note', 'note'), act('Warn', 'warn'), act('Mute 1 h', 'mute', 60), act('Mute 1 d', 'mute', 1_440)],
    act('Mute 7 d', 'mute', 10_080),
    standing === 'suspended' ? act('End suspension', 'unsuspend') : act('Suspend', 'suspend'),
  ]
  if (isOperator) {
    acts.push(look('Show sessions', 'sessions'), look('Show keys and webhooks', 'keys'))
    acts.push(look('Show granted SOL', 'grants'), look('Show accounts in the same browsers', 'sources'))
    if (role !== 'operator')
      acts.push(role === 'moderator' ? give('Remove moderator role', 'player') : give('Make moderator', 'moderator'))
  }
  const refresh = () => {
    void log.refetch()
    onChanged()
  }
  return (
    <>
      <p className="dim">
        <a href={`/user/${userId}`}>Profile</a> · joined {toMinute(createdAt)}
      </p>
      <ol className="bullets breaks" aria-label="Actions on this player">
        {log.data?.map(({ id, at, act, reason, isUndone }) => (
          <li key={id}>
            {toMinute(at)} {act}
            {reason !== null && `, “${reason}”`}
            {isUndone && ' (undone)'} {!isUndone && UNDONE.includes(act) && <Undo id={id} act={act} onDone={refresh} />}
          </li>
        ))}
      </ol>
      <div aria-live="polite">
        {seen !== null && (
          <ul className="bullets breaks" aria-label="Records found">
            {seen.length === 0 && <li>Nothing found.</li>}
            {seen.map(({ title, note }) => (
              <li key={`${title} ${note}`}>
                {title}: {note}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Acts acts={acts} onDone={refresh} />
    </>
  )
}

const UNDONE = ['hide', 'delete', 'warn', 'mute', 'suspend']

function Undo({ id, act, onDone }: { id: number; act: string; onDone: () => void }) {
  const undo = trpc.admin.undo.useMutation({ meta: { failure: 'Could not undo the action' }, onSettled: onDone })
  return (
    <Button
      look="quiet"
      aria-label={`Undo ${act} ${id}`}
      onClick={() => undo.mutate({ id, reason: 'This was a mistake' })}
    >
      Undo
    </Button>
  )
}

const toMinute = (time: string) => time.slice(0, 16).replace('T', ' ')
