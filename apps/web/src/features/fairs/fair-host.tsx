import { useNavigate } from '@tanstack/react-router'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { ConfirmButton } from '../../components/form/confirm-button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type Fair, type Inputs, trpc } from '../../lib/api/api.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { readInvite, storeInvite } from '../../lib/fairs/stored-invite.ts'
import { cacheFair } from '../../lib/fairs/use-enter-fair.ts'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import classes from './fairs.module.css'

const QrCode = lazyPart(
  () => import('../../components/form/qr-code.tsx'),
  'QrCode',
  <Skeleton width={188} height={188} />,
)

/** Returns whether a host can end a fair and remove players, which is impossible in a running cup. */
export function canEnd({ kind, state }: Fair): boolean {
  return kind !== 'cup' || state === 'lobby'
}

/** Buttons for a fair's host: to invite, start, end, pause launches, and download the results. */
export function FairHost({ fair, invite }: { fair: Fair; invite: string | undefined }) {
  const update = trpc.fairs.update.useMutation({
    onSuccess: cacheFair,
    meta: { failure: 'Could not change the fair' },
  })
  const change = (what: Omit<Inputs['fairs']['update'], 'id'>) => update.mutate({ id: fair.id, ...what })
  const isPaused = fair.launches === 'nobody'
  const isAlone = fair.kind === 'room' && fair.entrants < 2
  return (
    <Panel title="You are the host">
      {fair.kind === 'room' && (fair.state === 'lobby' || fair.lateEntry) && (
        <details open={fair.state === 'lobby'}>
          <summary className="touch bold">Invite players</summary>
          <Invitation id={fair.id} invite={invite} isFirst={isAlone} />
        </details>
      )}
      <div className="acts">
        {fair.state === 'lobby' && (
          <Button look={isAlone ? 'quiet' : 'moon'} onClick={() => change({ act: 'start' })}>
            Start now
          </Button>
        )}
        <Button look="quiet" onClick={() => change({ launches: isPaused ? 'all' : 'nobody' })}>
          {isPaused ? 'Allow launches again' : 'Pause launches'}
        </Button>
        {canEnd(fair) && (
          <ConfirmButton
            action="End the fair now"
            busy="Ending..."
            isBusy={update.isPending && update.variables.act === 'end'}
            onSure={() => change({ act: 'end' })}
          />
        )}
        {fair.state === 'open' && <ResultsLink id={fair.id} />}
      </div>
    </Panel>
  )
}

export function ResultsLink({ id }: { id: number }) {
  return (
    <a className="p-s accent semibold" href={`/api/exports/fairs/${id}/ranking.csv`} download>
      Download results (CSV)
    </a>
  )
}

interface InvitationProps {
  readonly id: number
  readonly invite: string | undefined
  /** Whether inviting players is the host's next step. */
  readonly isFirst: boolean
}

/**
 * Shows the room's link if this browser has stored it or the URL contains it, and otherwise a button that creates a new
 * link.
 */
function Invitation({ id, invite, isFirst }: InvitationProps) {
  const navigate = useNavigate()
  const renew = trpc.fairs.renewInvite.useMutation({
    onSuccess: (answer) => {
      storeInvite(id, answer.invite)
      void navigate({
        to: '/fairs/{-$id}',
        params: { id: String(id) },
        hash: `invite=${answer.invite}`,
        replace: true,
      })
    },
    meta: { failure: 'Could not create a new link' },
  })
  const code = readInvite(id) ?? invite
  const link = code === undefined ? null : new URL(`/fairs/${id}#invite=${code}`, location.origin).href
  return (
    <div className="row top gap-l wrap">
      {link !== null && <QrCode text={link} label="The room’s link as a QR code" />}
      <div className={`stack gap-m fit ${classes.told}`}>
        <p>
          {link === null
            ? 'Anyone with the room’s link can join. We showed the link only once. If you create a new link, the old link stops working.'
            : 'Anyone with this link can join. Send the link, or let people scan the code.'}
        </p>
        {link !== null && <code className="p-s-m round-s on-raised text-s breaks selectable">{link}</code>}
        <div className="acts">
          {link !== null && (
            <Button
              look={isFirst ? 'moon' : 'quiet'}
              onClick={() =>
                void copyWithToast(link, 'The room’s link copied to clipboard', 'Please select the link and copy it.')
              }
            >
              Copy the link
            </Button>
          )}
          <Button look="quiet" disabled={renew.isPending} onClick={() => renew.mutate({ id })}>
            Create a new link
          </Button>
        </div>
      </div>
    </div>
  )
}
