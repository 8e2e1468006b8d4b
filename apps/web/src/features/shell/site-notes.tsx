import { useEffect } from 'react'
import { Spoken } from '../../components/feedback/spoken.tsx'
import { Button } from '../../components/form/button.tsx'
import { type Announcement, trpc } from '../../lib/api/api.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { formatLongMoment } from '../../lib/format/moment-text.ts'
import { useKeepAccount } from '../../lib/market/deletion.ts'
import { saveSetting, useStored } from '../../lib/ui/stored.ts'
import shell from './shell.module.css'
import classes from './site-notes.module.css'

const LOOK_EVERY_MS = 700
const KEY = 'papermoon-announcement'

/**
 * Notes on every page: an operator's warning, the account's pending deletion, an announcement, and the note that a new
 * market is being set up.
 */
export function SiteNotes() {
  const { data: me } = trpc.auth.me.useQuery(undefined, { retryOnMount: false })
  const { data } = trpc.site.settings.useQuery()
  return (
    <section aria-label="Site news">
      {me?.warning != null && me.warning !== '' && (
        <p className="p-m-l semibold text-center breaks on-moon">
          <span aria-hidden="true">⚠ </span>
          {me.warning}
          <Spoken>{me.warning}</Spoken>
        </p>
      )}
      {me?.deletionDueAt != null && <DeletionBanner dueAt={me.deletionDueAt} />}
      {data?.announcement != null && <AnnouncementBar key={data.announcement.id} announcement={data.announcement} />}
      {data?.isSettingUp === true && <SettingUp />}
    </section>
  )
}

/** The note stays until the player dismisses it. This browser stores the choice. */
function AnnouncementBar({ announcement: { id, text } }: { announcement: Announcement }) {
  if (useStored(KEY) === String(id)) return null
  const dismiss = () => saveSetting(KEY, String(id))
  return (
    <div
      className={`p-s-m text-s on-raised high-shadow ${shell.strip} untouchable ${classes.line} row gap-s p-s-m breaks ${classes.announcement}`}
    >
      <span aria-hidden="true">📣</span>
      <span dir="auto">{text}</span>
      <Spoken>{text}</Spoken>
      <button type="button" className="icon-button" aria-label="Dismiss the announcement" onClick={dismiss}>
        ✕
      </button>
    </div>
  )
}

/**
 * Fetches the page's data again after the setup, because live events do not contain the history that the setup writes.
 */
function SettingUp() {
  trpc.site.settings.useQuery(undefined, { refetchInterval: LOOK_EVERY_MS })
  useEffect(() => () => void queryClient.invalidateQueries(), [])
  return (
    <p className={`p-s-m text-s on-raised high-shadow ${shell.strip} untouchable ${classes.line}`}>
      <strong>The fairground is being set up.</strong> Tokens and prices will appear in a moment…
      <Spoken>The fairground is being set up.</Spoken>
    </p>
  )
}

/** A banner on every screen while the account's deletion is scheduled. The banner's button cancels the deletion. */
function DeletionBanner({ dueAt }: { dueAt: string }) {
  const { keep, isPending } = useKeepAccount()
  return (
    <section className={`row gap-wide wrap centered p-m-l on-sunken ${classes.banner}`} aria-label="Account deletion">
      <p className="semibold text-center balance">
        Your account will be deleted on <time dateTime={dueAt}>{formatLongMoment(dueAt)}</time>.
      </p>
      <Button look="quiet" disabled={isPending} onClick={keep}>
        {isPending ? 'Keeping...' : 'Keep my account'}
      </Button>
    </section>
  )
}
